package dev.kudu4j.tablet.maintenance.policy;

import java.util.Arrays;

/**
 * What the policy knows of a rowset.
 *
 * @param minKey smallest encoded key; borrowed, never changed
 * @param maxKey largest encoded key
 * @param bytes of all its files, above 0: what reading it costs
 * @param rows dead ones too
 * @param ancientRows rows that have been dead since before the ancient history mark; an estimate
 */
@SuppressWarnings("ArrayRecordComponent") // keys are arrays everywhere; nobody compares shapes
public record RowSetShape(byte[] minKey, byte[] maxKey, long bytes, long rows, long ancientRows) {
  public RowSetShape {
    if (Arrays.compareUnsigned(minKey, maxKey) > 0) {
      throw new IllegalArgumentException("The smallest key is above the largest");
    }
    if (bytes <= 0 || ancientRows < 0 || ancientRows > rows) {
      throw new IllegalArgumentException(
          "Sizes must fit: %d bytes, %d of %d rows ancient".formatted(bytes, ancientRows, rows));
    }
  }

  /** The share of the rows that a compaction leaves out. */
  double ancientShare() {
    return rows == 0 ? 0 : (double) ancientRows / rows;
  }
}
