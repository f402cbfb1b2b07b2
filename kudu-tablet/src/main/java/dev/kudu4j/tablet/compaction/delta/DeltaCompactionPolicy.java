package dev.kudu4j.tablet.compaction.delta;

/**
 * Which delta files of a rowset are worth merging, and when its changes are worth going to base
 * data. Pure functions of sizes.
 */
public final class DeltaCompactionPolicy {
  /** Changes for this share of a rowset's rows are worth writing a column anew. */
  private static final double MAJOR_SHARE = 0.05;

  /** For this share they are, once the changes of the rowset are read for another column. */
  private static final double ALONG_SHARE = 0.01;

  private DeltaCompactionPolicy() {}

  /** Files of a list. */
  public record Range(int first, int count) {}

  /**
   * The neighbours to merge: the longest run at the newest end in which no file is larger than all
   * newer ones together, so that a change is written O(log n) times. Null when that is one file.
   *
   * @param bytes of the files, oldest first
   */
  public static Range toMerge(long[] bytes, long budgetBytes) {
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
   * What a reader gains when a column is written anew: the share of the rowset's rows whose changes
   * need no longer be applied; 0 when the column is not worth it by itself.
   */
  public static double majorGain(long changes, long rows) {
    double share = share(changes, rows);
    return share < MAJOR_SHARE ? 0 : share;
  }

  /** Whether a column is written anew when another one of the rowset is worth it. */
  public static boolean goesAlong(long changes, long rows) {
    return share(changes, rows) >= ALONG_SHARE;
  }

  private static double share(long changes, long rows) {
    return Math.min(1.0, (double) changes / Math.max(1, rows));
  }
}
