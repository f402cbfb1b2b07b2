package dev.kudu4j.client;

import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.stream.Collectors;

/** Counters of a client's writes, by tablet. Thread-safe. */
public final class Statistics {
  private final Map<String, OfTablet> tablets = new ConcurrentHashMap<>();

  /** The counters. */
  public enum Statistic {
    /** Bytes of rows sent and applied. */
    BYTES_WRITTEN,
    /** Rows applied without an error. */
    WRITE_OPS,
    /** Write calls that were answered. */
    WRITE_RPCS,
    /** Rows that had an error. */
    OPS_ERRORS,
    /** Write calls that failed as a whole. */
    RPC_ERRORS
  }

  private static final class OfTablet {
    private final String tableName;
    private final AtomicLongArray counts = new AtomicLongArray(Statistic.values().length);

    OfTablet(String tableName) {
      this.tableName = tableName;
    }
  }

  void count(String tableName, String tabletId, Statistic statistic, long more) {
    tablets
        .computeIfAbsent(tabletId, id -> new OfTablet(tableName))
        .counts
        .addAndGet(statistic.ordinal(), more);
  }

  /** A counter of one tablet; 0 for a tablet that was never written to. */
  public long getTabletStatistic(String tabletId, Statistic statistic) {
    OfTablet tablet = tablets.get(tabletId);
    return tablet == null ? 0 : tablet.counts.get(statistic.ordinal());
  }

  public long getTableStatistic(String tableName, Statistic statistic) {
    return tablets.values().stream()
        .filter(tablet -> tablet.tableName.equals(tableName))
        .mapToLong(tablet -> tablet.counts.get(statistic.ordinal()))
        .sum();
  }

  public long getClientStatistic(Statistic statistic) {
    return tablets.values().stream()
        .mapToLong(tablet -> tablet.counts.get(statistic.ordinal()))
        .sum();
  }

  /** Ids of the tablets written to. */
  public Set<String> getTabletSet() {
    return Set.copyOf(tablets.keySet());
  }

  /** Names of the tables written to. */
  public Set<String> getTableSet() {
    return tablets.values().stream()
        .map(tablet -> tablet.tableName)
        .collect(Collectors.toUnmodifiableSet());
  }

  /** The table of a tablet; null for a tablet that was never written to. */
  public String getTableName(String tabletId) {
    OfTablet tablet = tablets.get(tabletId);
    return tablet == null ? null : tablet.tableName;
  }

  @Override
  public String toString() {
    StringBuilder text = new StringBuilder("Current client statistics:");
    for (Statistic statistic : Statistic.values()) {
      text.append(' ').append(statistic).append('=').append(getClientStatistic(statistic));
    }
    return text.toString();
  }
}
