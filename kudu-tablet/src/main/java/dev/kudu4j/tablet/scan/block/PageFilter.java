package dev.kudu4j.tablet.scan.block;

import org.jspecify.annotations.Nullable;

/** Decides from the statistics of a page whether none, some or all of its cells match. */
public interface PageFilter {
  /** The result for a page: no cell matches, some may match, or all match. */
  enum Verdict {
    NONE,
    SOME,
    ALL
  }

  /**
   * @param minimum at or below the smallest present cell; null if unknown or if all cells are NULL
   * @param maximum at or above the largest present cell; null if unknown or if all cells are NULL
   */
  Verdict judge(int rowCount, int nullCount, byte @Nullable [] minimum, byte @Nullable [] maximum);

  /** Whether it excludes pages because of rows found before, not because of a condition. */
  default boolean isBoundOfOrder() {
    return false;
  }
}
