package dev.kudu4j.tablet.log;

import dev.kudu4j.common.row.RowLayout;

/**
 * Row operations of one client request, or one piece of a large one, as they came from the wire.
 *
 * @param id who asks, or null when the caller wants no exactly-once answer
 * @param piece from 0
 * @param pieces how many pieces the request was cut into
 * @param schemaVersion of the tablet when the request was admitted
 * @param columnIds tablet column id of each column of the layout
 * @param layout how the rows are packed
 * @param rows array that holds the fixed part
 * @param indirect array that holds text and binary bytes
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
