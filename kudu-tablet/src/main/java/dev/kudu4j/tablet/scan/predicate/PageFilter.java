package dev.kudu4j.tablet.scan.predicate;

/** Says from a page's statistics alone how many of its cells match. */
public interface PageFilter {
  /** What is known of a page without reading it. */
  enum Verdict {
    NONE,
    SOME,
    ALL
  }

  /**
   * @param minimum at or below the smallest present cell; null when unknown or all are NULL
   * @param maximum at or above the largest
   */
  Verdict judge(int rowCount, int nullCount, byte[] minimum, byte[] maximum);
}
