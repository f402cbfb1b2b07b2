package dev.kudu4j.tablet.compaction.delta;

/**
 * Which delta files of a rowset are worth merging, and when its changes are worth going to base
 * data. Pure functions of sizes.
 */
public final class DeltaPolicy {
  /** Changes for this share of a rowset's rows are worth writing columns anew. */
  private static final double MAJOR_SHARE = 0.05;

  private DeltaPolicy() {}

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
   * What a major delta compaction gains a reader of the rowset: the share of its rows whose changes
   * need no longer be applied; 0 when that is too little.
   */
  public static double majorGain(long changes, long rows) {
    double share = Math.min(1.0, (double) changes / Math.max(1, rows));
    return share < MAJOR_SHARE ? 0 : share;
  }
}
