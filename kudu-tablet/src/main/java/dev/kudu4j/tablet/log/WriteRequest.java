package dev.kudu4j.tablet.log;

import dev.kudu4j.common.row.RowLayout;

/**
 * Row operations of one client request, or one piece of a large request, in wire format.
 *
 * @param id the request's id, or null without exactly-once semantics
 * @param piece from 0
 * @param pieces the number of pieces of the request
 * @param schemaVersion the tablet's schema version when the request was admitted
 * @param columnIds tablet column id of each column of the layout
 * @param layout the format of the packed rows
 * @param rows array with the fixed-width part
 * @param indirect array with text and binary bytes
 */
public record WriteRequest(
    RequestId id,
    int piece,
    int pieces,
    int schemaVersion,
    int[] columnIds,
    RowLayout layout,
    byte[] rows,
    int rowsOffset,
    int rowsLength,
    byte[] indirect,
    int indirectOffset,
    int indirectLength) {}
