package dev.kudu4j.tablet.scan.source;

import dev.kudu4j.tablet.scan.predicate.PredicateNode;
import java.util.Arrays;

/**
 * What every source of a scan is asked.
 *
 * @param columns what to read
 * @param predicate what to keep
 * @param snapshot sees exactly what has a timestamp below
 * @param diffStart for a diff scan the start of the interval, else -1
 * @param lowerKey inclusive; null is open
 * @param upperKey exclusive; null is open
 * @param blockRows most rows of a block
 */
public record ScanPlan(
    WantedColumns columns,
    PredicateNode predicate,
    long snapshot,
    long diffStart,
    byte[] lowerKey,
    byte[] upperKey,
    int blockRows) {
  /** Whether no key can be within the bounds. */
  public boolean isEmpty() {
    return lowerKey != null && upperKey != null && Arrays.compareUnsigned(lowerKey, upperKey) >= 0;
  }

  boolean isDiff() {
    return diffStart >= 0;
  }
}
