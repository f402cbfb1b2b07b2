package dev.kudu4j.tablet.scan.source;

import dev.kudu4j.tablet.scan.block.PageFilter;
import java.util.Arrays;
import java.util.BitSet;

/**
 * Counts the pages of a rowset that statistics exclude or find certain to match. A page is judged
 * in each block that it covers and by each filter of its column, and counted once. Not thread-safe.
 */
final class PageVerdicts {
  private final ScanWork work;
  private final BitSet[] excluded; // pages, by column
  private final BitSet[] certain;

  PageVerdicts(ScanWork work, int columns) {
    this.work = work;
    this.excluded = new BitSet[columns];
    this.certain = new BitSet[columns];
    Arrays.setAll(excluded, i -> new BitSet());
    Arrays.setAll(certain, i -> new BitSet());
  }

  void count(int column, int page, PageFilter pageFilter, PageFilter.Verdict verdict) {
    if (verdict == PageFilter.Verdict.NONE && !excluded[column].get(page)) {
      excluded[column].set(page);
      if (pageFilter.isBoundOfOrder()) {
        work.addBehind();
      } else {
        work.addExcluded();
      }
    } else if (verdict == PageFilter.Verdict.ALL && !certain[column].get(page)) {
      certain[column].set(page);
      work.addCertain();
    }
  }
}
