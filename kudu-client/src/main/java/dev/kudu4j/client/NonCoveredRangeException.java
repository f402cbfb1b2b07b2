package dev.kudu4j.client;

import dev.kudu4j.client.cluster.PartitionKeyText;

/** A row falls into a range of the table's keys that no range partition covers. */
public final class NonCoveredRangeException extends NonRecoverableException {
  private static final long serialVersionUID = 1L;

  private final byte[] start;
  private final byte[] end;

  /**
   * @param start partition key where the gap begins; empty for unbounded
   * @param end partition key where the gap ends; empty for unbounded
   */
  public NonCoveredRangeException(byte[] start, byte[] end) {
    super(Status.NotFound(PartitionKeyText.ofGap(start, end)));
    this.start = start.clone();
    this.end = end.clone();
  }

  byte[] getNonCoveredRangeStart() {
    return start;
  }

  byte[] getNonCoveredRangeEnd() {
    return end;
  }
}
