package dev.kudu4j.client.lookup;

import dev.kudu4j.common.row.RowCells;

/**
 * The primary key of a row to look up.
 *
 * @param encoded the primary key
 * @param cells at least the columns of the primary key
 */
public record LookupKey(byte[] encoded, RowCells cells) {}
