package dev.kudu4j.tablet.maintenance.policy;

import java.util.Arrays;

/**
 * The properties of a rowset that the compaction policy uses.
 *
 * @param minKey smallest encoded key; borrowed, never changed
 * @param maxKey largest encoded key
 * @param bytes the size of all files of the rowset, above 0; this is the cost of reading the rowset
 * @param rows the number of rows, including deleted rows
 * @param ancientRows an estimate of the rows that were deleted before the ancient history mark
 */
@SuppressWarnings("ArrayRecordComponent") // keys are arrays everywhere; shapes are never compared
public record RowSetShape(byte[] minKey, byte[] maxKey, long bytes, long rows, long ancientRows) {
  public RowSetShape {
    if (Arrays.compareUnsigned(minKey, maxKey) > 0) {
      throw new IllegalArgumentException("The smallest key is above the largest");
    }
    if (bytes <= 0 || ancientRows < 0 || ancientRows > rows) {
      throw new IllegalArgumentException(
          "Invalid sizes: %d bytes, %d of %d rows ancient".formatted(bytes, ancientRows, rows));
    }
  }

  /** The share of the rows that a compaction drops. */
  double ancientShare() {
    return rows == 0 ? 0 : (double) ancientRows / rows;
  }
}
