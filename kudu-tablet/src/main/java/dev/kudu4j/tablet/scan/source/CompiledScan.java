package dev.kudu4j.tablet.scan.source;

import dev.kudu4j.tablet.scan.predicate.PredicateNode;
import java.util.Arrays;
import java.util.List;

/**
 * What every source of a scan is asked.
 *
 * @param columns what to read
 * @param predicate what to keep
 * @param snapshot sees exactly what has a timestamp below
 * @param diffStart for a diff scan the start of the interval, else -1
 * @param lowerKey inclusive; null is open
 * @param upperKey exclusive; null is open
 * @param keys ascending, within the bounds, the only rows that are read; null for all
 * @param firstBlockRows most rows of a source's first block: few when a few rows may be enough
 * @param blockRows most rows of any block
 */
public record CompiledScan(
    ScanColumns columns,
    PredicateNode predicate,
    long snapshot,
    long diffStart,
    byte[] lowerKey,
    byte[] upperKey,
    List<byte[]> keys,
    int firstBlockRows,
    int blockRows) {
  /** A block may grow that much from one to the next of a source. */
  static final int GROWTH = 4;

  /** Most rows of a block when rows are looked up by their keys. */
  public static final int KEYED_BLOCK_ROWS = 64;

  private static final int LEAST_FIRST_BLOCK_ROWS = 64;

  /**
   * Rows of a first block that has enough for the limit when all match; when hardly any does,
   * blocks are soon as large as without one.
   */
  public static int firstBlockRows(long limit, int blockRows) {
    long enough = 2 * Long.highestOneBit(Math.min(limit, blockRows));
    return (int) Math.min(blockRows, Math.max(LEAST_FIRST_BLOCK_ROWS, enough));
  }

  /** Whether no key can be within the bounds. */
  public boolean isEmpty() {
    return lowerKey != null && upperKey != null && Arrays.compareUnsigned(lowerKey, upperKey) >= 0;
  }

  /** Whether the bounds leave one key: the scan looks it up, and a block is one row. */
  public static boolean isSingleKey(byte[] lowerKey, byte[] upperKey) {
    return lowerKey != null
        && upperKey != null
        && upperKey.length == lowerKey.length + 1
        && upperKey[lowerKey.length] == 0
        && Arrays.equals(lowerKey, 0, lowerKey.length, upperKey, 0, lowerKey.length);
  }

  boolean isSingleKey() {
    return isSingleKey(lowerKey, upperKey);
  }

  /** Whether rows are looked up by their keys, more than one. */
  boolean isKeyed() {
    return keys != null;
  }

  boolean isDiff() {
    return diffStart >= 0;
  }
}
