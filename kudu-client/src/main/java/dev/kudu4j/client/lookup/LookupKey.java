package dev.kudu4j.client.lookup;

import dev.kudu4j.common.row.RowCells;

/**
 * The primary key of a row to look up.
 *
 * @param encoded the encoded primary key
 * @param cells a row in which at least the columns of the primary key are set
 */
public record LookupKey(byte[] encoded, RowCells cells) {}
