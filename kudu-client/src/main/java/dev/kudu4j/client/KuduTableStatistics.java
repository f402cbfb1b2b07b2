package dev.kudu4j.client;

/** How large a table is, as its servers last told the master: some seconds late. */
public final class KuduTableStatistics {
  private final long onDiskSize;
  private final long liveRowCount;

  KuduTableStatistics(long onDiskSize, long liveRowCount) {
    this.onDiskSize = onDiskSize;
    this.liveRowCount = liveRowCount;
  }

  /** Bytes of all leaders together. */
  public long getOnDiskSize() {
    return onDiskSize;
  }

  /** Rows; 0 when the servers do not count them. */
  public long getLiveRowCount() {
    return liveRowCount;
  }

  @Override
  public String toString() {
    return "KuduTableStatistics{onDiskSize=" + onDiskSize + ", liveRowCount=" + liveRowCount + "}";
  }
}
