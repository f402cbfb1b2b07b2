package dev.kudu4j.spark.statistics;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The analyzed tables of a catalog, by the ids of the tables. Thread-safe. */
public final class AnalyzedTables {
  private final Map<String, TableAnalysis> analyses = new ConcurrentHashMap<>();

  /** The latest analysis; {@link TableAnalysis#NONE} if there is none. */
  public TableAnalysis of(String tableId) {
    return analyses.getOrDefault(tableId, TableAnalysis.NONE);
  }

  /** Adds an analysis. It replaces that of the same columns. */
  public void add(String tableId, TableAnalysis analysis) {
    analyses.merge(tableId, analysis, (earlier, later) -> later.over(earlier));
  }
}
