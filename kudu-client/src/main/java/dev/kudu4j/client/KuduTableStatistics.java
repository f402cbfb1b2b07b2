package dev.kudu4j.client;

/**
 * The size of a table, as its servers last reported it to the master. The values are some seconds
 * old.
 */
public final class KuduTableStatistics {
  private final long onDiskSize;
  private final long liveRowCount;

  KuduTableStatistics(long onDiskSize, long liveRowCount) {
    this.onDiskSize = onDiskSize;
    this.liveRowCount = liveRowCount;
  }

  /** Bytes on disk of all leader replicas together. */
  public long getOnDiskSize() {
    return onDiskSize;
  }

  /** Live rows; 0 if the servers do not count them. */
  public long getLiveRowCount() {
    return liveRowCount;
  }

  @Override
  public String toString() {
    return "KuduTableStatistics{onDiskSize=" + onDiskSize + ", liveRowCount=" + liveRowCount + "}";
  }
}
