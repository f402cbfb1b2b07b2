package dev.kudu4j.client;

/** A row falls into a range of the table's keys that no range partition covers. */
public final class NonCoveredRangeException extends NonRecoverableException {
  private static final long serialVersionUID = 1L;

  private final byte[] start;
  private final byte[] end;

  /**
   * @param start partition key where the gap begins; empty for unbounded
   * @param end partition key where it ends; empty for unbounded
   */
  public NonCoveredRangeException(byte[] start, byte[] end) {
    super(
        Status.NotFound(
            "accessed range partition ("
                + Partition.text(start, end)
                + ") does not exist in table"));
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
