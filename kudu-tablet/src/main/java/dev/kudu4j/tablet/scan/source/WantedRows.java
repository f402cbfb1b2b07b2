package dev.kudu4j.tablet.scan.source;

import dev.kudu4j.tablet.rowset.BaseData;
import dev.kudu4j.tablet.scan.block.SelectionBitmap;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The rows of a rowset that a scan reads: a range of ordinals, or a list of them, which keys or an
 * index have determined. Not thread-safe.
 */
final class WantedRows {
  private final long first;
  private final long end;
  private final long @Nullable [] ordinals; // ascending; null for a range
  private int next; // the index of the next ordinal to read

  private WantedRows(long first, long end, long @Nullable [] ordinals) {
    this.first = first;
    this.end = end;
    this.ordinals = ordinals;
  }

  /**
   * The rows within the scan's bounds, or with its keys. A single key is looked up in the Bloom
   * filter first.
   */
  static WantedRows of(CompiledScan plan, BaseData base) throws IOException {
    byte[] lower = plan.lowerKey();
    byte[] upper = plan.upperKey();
    if (lower != null && plan.isSingleKey()) {
      long found = base.find(lower, 0, lower.length);
      return new WantedRows(Math.max(found, 0), found + 1, null);
    }
    List<byte[]> keys = plan.keys();
    if (keys != null) {
      return listed(find(keys, base));
    }
    return new WantedRows(
        lower == null ? 0 : base.lowerBound(lower, 0, lower.length),
        upper == null ? base.rowCount() : base.lowerBound(upper, 0, upper.length),
        null);
  }

  private static long[] find(List<byte[]> keys, BaseData base) throws IOException {
    long[] found = new long[keys.size()];
    int count = 0;
    for (byte[] key : keys) {
      long ordinal = base.find(key, 0, key.length);
      if (ordinal >= 0) {
        found[count++] = ordinal;
      }
    }
    return Arrays.copyOf(found, count);
  }

  /**
   * @param ordinals ascending
   */
  static WantedRows listed(long[] ordinals) {
    int count = ordinals.length;
    return count == 0
        ? new WantedRows(0, 0, ordinals)
        : new WantedRows(ordinals[0], ordinals[count - 1] + 1, ordinals);
  }

  /** Returns the listed rows that are in {@code [from, to)}. */
  WantedRows between(long from, long to) {
    assert ordinals != null : "the rows are listed";
    return listed(Arrays.stream(ordinals).filter(row -> row >= from && row < to).toArray());
  }

  /** The first row; meaningless if there is none. */
  long first() {
    return first;
  }

  /** Behind the last row. */
  long end() {
    return end;
  }

  boolean isEmpty() {
    return first >= end;
  }

  /** Whether all rows between the first and the last are wanted. */
  boolean isRange() {
    return ordinals == null;
  }

  /** Whether most small blocks contain at most one of the rows. */
  boolean isSparse() {
    return ordinals != null && end - first > (long) CompiledScan.KEYED_BLOCK_ROWS * ordinals.length;
  }

  /**
   * Selects the listed rows of a block, and advances to the next row behind it.
   *
   * @param start the block's first row
   * @param max the maximum number of rows of the block
   * @param bits scratch memory, a bit for each of {@code max} rows
   * @return the number of rows of the block, which ends at its last selected row
   */
  int select(SelectionBitmap rows, long start, int max, long[] bits) {
    assert ordinals != null : "the rows are listed";
    Arrays.fill(bits, 0);
    int count = 0;
    while (next < ordinals.length && ordinals[next] - start < max) {
      int row = (int) (ordinals[next++] - start);
      bits[row >>> 6] |= 1L << row;
      count = row + 1;
    }
    rows.selectAll(count);
    rows.retain(bits, 0, SelectionBitmap.wordCount(count));
    return count;
  }

  /** The first listed row that no block has selected; {@link #end} if there is none. */
  long next() {
    return ordinals != null && next < ordinals.length ? ordinals[next] : end;
  }
}
