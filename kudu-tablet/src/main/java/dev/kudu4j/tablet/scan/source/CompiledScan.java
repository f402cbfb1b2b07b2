package dev.kudu4j.tablet.scan.source;

import dev.kudu4j.tablet.scan.index.IndexHint;
import dev.kudu4j.tablet.scan.index.IndexSearch;
import dev.kudu4j.tablet.scan.predicate.PredicateNode;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A compiled scan, as input of all its sources.
 *
 * @param columns the columns to read
 * @param predicate the compiled predicates
 * @param snapshot the scan sees exactly the operations with a timestamp below it
 * @param diffStart the start timestamp of a diff scan; -1 for any other scan
 * @param lowerKey inclusive; null is open
 * @param upperKey exclusive; null is open
 * @param keys ascending, within the bounds; the scan reads only these rows; null for all rows
 * @param firstBlockRows the maximum number of rows of a source's first block; small if a few rows
 *     may suffice
 * @param blockRows the maximum number of rows of any block
 * @param anyOrder whether the rows may be returned in any order
 * @param indexHint which indexes sources may use
 * @param work counts what the sources do
 */
public record CompiledScan(
    ScanColumns columns,
    PredicateNode predicate,
    long snapshot,
    long diffStart,
    byte @Nullable [] lowerKey,
    byte @Nullable [] upperKey,
    @Nullable List<byte[]> keys,
    int firstBlockRows,
    int blockRows,
    boolean anyOrder,
    IndexHint indexHint,
    ScanWork work) {
  /** The maximum factor by which a source's block may exceed its previous block. */
  static final int GROWTH = 4;

  /** The maximum number of rows of a block if rows are looked up by key. */
  public static final int KEYED_BLOCK_ROWS = 64;

  private static final int MIN_FIRST_BLOCK_ROWS = 64;

  /**
   * The maximum number of rows of a source's first block: enough to satisfy the limit if all rows
   * match. If few rows match, the next blocks quickly grow to {@code blockRows}.
   */
  public static int firstBlockRows(long limit, int blockRows) {
    long enough = 2 * Long.highestOneBit(Math.min(limit, blockRows));
    return (int) Math.min(blockRows, Math.max(MIN_FIRST_BLOCK_ROWS, enough));
  }

  /** Whether the bounds exclude every key. */
  public boolean isEmpty() {
    return lowerKey != null && upperKey != null && Arrays.compareUnsigned(lowerKey, upperKey) >= 0;
  }

  /**
   * Whether the bounds contain exactly one key. The scan then looks up this key, and a block is one
   * row.
   */
  public static boolean isSingleKey(byte @Nullable [] lowerKey, byte @Nullable [] upperKey) {
    return lowerKey != null
        && upperKey != null
        && upperKey.length == lowerKey.length + 1
        && upperKey[lowerKey.length] == 0
        && Arrays.equals(lowerKey, 0, lowerKey.length, upperKey, 0, lowerKey.length);
  }

  boolean isSingleKey() {
    return isSingleKey(lowerKey, upperKey);
  }

  /** Whether the scan looks up rows by a list of keys. */
  boolean isKeyed() {
    return keys != null;
  }

  boolean isDiff() {
    return diffStart >= 0;
  }

  /** Whether rows may be looked up in indexes. */
  boolean mayUseIndex() {
    return predicate != PredicateNode.ALL
        && !indexHint.isNone()
        && !isSingleKey()
        && !isKeyed()
        && !isDiff();
  }

  /** The search in the indexes of a source. */
  IndexSearch.Query indexQuery() {
    return new IndexSearch.Query(
        predicate,
        columns.count(),
        columns.projected(),
        columns::column,
        blockRows,
        snapshot,
        anyOrder,
        indexHint,
        work.reads(),
        work.indexChoices());
  }
}
