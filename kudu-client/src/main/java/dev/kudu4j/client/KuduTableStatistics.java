package dev.kudu4j.client;

import java.util.Map;

/**
 * The size of a table, as its servers last reported it to the master, and the statistics of its
 * columns. The size is some seconds old.
 */
public final class KuduTableStatistics {
  private final long onDiskSize;
  private final long liveRowCount;
  private final Map<Integer, KuduColumnStatistics> columnStatistics;

  KuduTableStatistics(
      long onDiskSize, long liveRowCount, Map<Integer, KuduColumnStatistics> columnStatistics) {
    this.onDiskSize = onDiskSize;
    this.liveRowCount = liveRowCount;
    this.columnStatistics = Map.copyOf(columnStatistics);
  }

  /** Bytes on disk of all leader replicas together. */
  public long getOnDiskSize() {
    return onDiskSize;
  }

  /** Live rows; 0 if the servers do not count them. */
  public long getLiveRowCount() {
    return liveRowCount;
  }

  /**
   * The statistics that {@link KuduTable#setColumnStatistics} set last, by the ids of the columns
   * ({@link dev.kudu4j.Schema#getColumnId}), which renaming does not change. Empty if the table was
   * not analyzed, and for Apache Kudu's servers.
   */
  public Map<Integer, KuduColumnStatistics> getColumnStatistics() {
    return columnStatistics;
  }

  @Override
  public String toString() {
    return "KuduTableStatistics{onDiskSize="
        + onDiskSize
        + ", liveRowCount="
        + liveRowCount
        + ", analyzedColumns="
        + columnStatistics.size()
        + "}";
  }
}
