package dev.kudu4j.spark.statistics;

import dev.kudu4j.client.KuduColumnStatistics;
import dev.kudu4j.client.KuduException;
import dev.kudu4j.client.KuduTable;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Keeps the results of analyses: in the table's metadata at the master, for all sessions and
 * applications, or, if the masters are Apache Kudu's, in this catalog of this session. Thread-safe.
 */
public final class AnalyzedTables {
  private final Map<String, Map<Integer, KuduColumnStatistics>> inSession =
      new ConcurrentHashMap<>();

  /** The statistics of a table that only this session has, by the ids of the columns. */
  public Map<Integer, KuduColumnStatistics> inSession(String tableId) {
    return inSession.getOrDefault(tableId, Map.of());
  }

  /** Keeps statistics of columns, by their ids. They replace earlier ones of the same columns. */
  public void add(KuduTable table, Map<Integer, KuduColumnStatistics> columns)
      throws KuduException {
    try {
      table.setColumnStatistics(columns);
    } catch (KuduException e) {
      if (!e.getStatus().isNotSupported()) {
        throw e;
      }
      inSession.merge(table.getTableId(), Map.copyOf(columns), AnalyzedTables::both);
    }
  }

  private static Map<Integer, KuduColumnStatistics> both(
      Map<Integer, KuduColumnStatistics> earlier, Map<Integer, KuduColumnStatistics> later) {
    Map<Integer, KuduColumnStatistics> all = new HashMap<>(earlier);
    all.putAll(later);
    return Map.copyOf(all);
  }
}
