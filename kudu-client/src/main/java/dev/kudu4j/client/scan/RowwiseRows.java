package dev.kudu4j.client.scan;

/**
 * A batch of rows, row after row, as it came; see {@link CellLayout}.
 *
 * @param indirect text and binary of all rows; empty when there is none
 */
@SuppressWarnings("ArrayRecordComponent") // lent to readers, never compared
public record RowwiseRows(int count, byte[] rows, byte[] indirect) {}
