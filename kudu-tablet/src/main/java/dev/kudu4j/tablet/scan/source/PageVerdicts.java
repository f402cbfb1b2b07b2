package dev.kudu4j.tablet.scan.source;

import dev.kudu4j.tablet.scan.block.PageFilter;
import java.util.Arrays;

/**
 * Counts the pages of a rowset that statistics exclude or find certain to match. A page is judged
 * in each block that it covers, and counted once. Not thread-safe.
 */
final class PageVerdicts {
  private final ScanWork work;
  private final int[] lastExcluded; // by column
  private final int[] lastCertain;

  PageVerdicts(ScanWork work, int columns) {
    this.work = work;
    this.lastExcluded = new int[columns];
    this.lastCertain = new int[columns];
    Arrays.fill(lastExcluded, -1);
    Arrays.fill(lastCertain, -1);
  }

  void count(int column, int page, PageFilter judge, PageFilter.Verdict verdict) {
    if (verdict == PageFilter.Verdict.NONE && page != lastExcluded[column]) {
      lastExcluded[column] = page;
      if (judge.isBoundOfOrder()) {
        work.addBehind();
      } else {
        work.addExcluded();
      }
    } else if (verdict == PageFilter.Verdict.ALL && page != lastCertain[column]) {
      lastCertain[column] = page;
      work.addCertain();
    }
  }
}
