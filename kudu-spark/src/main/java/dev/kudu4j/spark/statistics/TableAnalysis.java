package dev.kudu4j.spark.statistics;

import java.util.HashMap;
import java.util.Map;

/**
 * The statistics of a table.
 *
 * @param rows when it was analyzed
 * @param columns the analyzed columns, by their ids, which renaming does not change
 */
public record TableAnalysis(long rows, Map<Integer, ColumnAnalysis> columns) {
  /** The analysis of a table that was not analyzed. */
  public static final TableAnalysis NONE = new TableAnalysis(0, Map.of());

  public TableAnalysis {
    columns = Map.copyOf(columns);
  }

  /** This analysis, and the columns of an earlier one that this one does not have. */
  TableAnalysis over(TableAnalysis earlier) {
    Map<Integer, ColumnAnalysis> all = new HashMap<>(earlier.columns);
    all.putAll(columns);
    return new TableAnalysis(rows, all);
  }
}
