package dev.kudu4j.tablet.compaction.delta;

import org.jspecify.annotations.Nullable;

/**
 * Decides which delta files of a rowset to merge, and which columns have enough changes to be
 * rewritten. Pure functions of sizes and counts.
 */
public final class DeltaCompactionPolicy {
  /** The share of a rowset's rows with changes of a column that justifies rewriting the column. */
  private static final double MAJOR_SHARE = 0.05;

  /** The share that suffices if the rowset's changes are already read for another column. */
  private static final double ALONG_SHARE = 0.01;

  private DeltaCompactionPolicy() {}

  /** Consecutive files of a list. */
  public record Range(int first, int count) {}

  /**
   * The adjacent files to merge: the longest run that ends with the newest file, fits into the
   * budget, and whose oldest file is not larger than the other files of the run together. A change
   * is therefore written O(log n) times. Null if there is no such run of at least two files.
   *
   * @param bytes sizes of the files, oldest first
   */
  public static @Nullable Range toMerge(long[] bytes, long budgetBytes) {
    long newer = 0;
    int best = bytes.length;
    for (int i = bytes.length - 1; i >= 0; i--) {
      if (newer + bytes[i] > budgetBytes) {
        break;
      }
      if (bytes[i] <= newer) {
        best = i;
      }
      newer += bytes[i];
    }
    return bytes.length - best < 2 ? null : new Range(best, bytes.length - best);
  }

  /**
   * The gain for readers if a column is rewritten: the share of the rowset's rows whose changes no
   * longer need to be applied; 0 if the share is too small to rewrite the column alone.
   */
  public static double majorGain(long changes, long rows) {
    double share = share(changes, rows);
    return share < MAJOR_SHARE ? 0 : share;
  }

  /**
   * Whether the column has enough changes to be rewritten if another column of the rowset is
   * rewritten anyway.
   */
  public static boolean goesAlong(long changes, long rows) {
    return share(changes, rows) >= ALONG_SHARE;
  }

  private static double share(long changes, long rows) {
    return Math.min(1.0, (double) changes / Math.max(1, rows));
  }
}
