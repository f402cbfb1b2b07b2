package dev.kudu4j.benchmarks.consistency;

import java.util.List;
import org.HdrHistogram.Histogram;

/**
 * The result of one kind of servers.
 *
 * @param writeNanos durations of pairs that succeeded
 * @param pairsOfSecond pairs that succeeded in each second of the run
 * @param failedWrites attempts that failed, and were repeated
 * @param kills servers that were killed and started again
 * @param loadedRows rows of the load beside the pairs
 */
record Outcome(
    List<Reading> readings,
    Histogram writeNanos,
    long[] pairsOfSecond,
    long failedWrites,
    int kills,
    long loadedRows) {
  long pairs() {
    return writeNanos.getTotalCount();
  }

  long reads() {
    return readings.stream().mapToLong(Reading::reads).sum();
  }

  /** Sums that are not zero, and reads that went back. */
  long inconsistencies() {
    return readings.stream().mapToLong(each -> each.nonZero() + each.wentBack()).sum();
  }
}
