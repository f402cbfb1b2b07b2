package dev.kudu4j.client.scan;

/**
 * A batch of rows, column after column, as it came.
 *
 * @param data for each column its cells back to back, or the 32-bit ends of its text after a first
 *     0
 * @param text for each column of variable length its bytes; null for others
 * @param presence for each nullable column a bit a row, set unless NULL; null for others
 */
@SuppressWarnings("ArrayRecordComponent") // lent to readers, never compared
public record ColumnarRows(int count, byte[][] data, byte[][] text, byte[][] presence) {}
