package dev.kudu4j.spark.read;

import dev.kudu4j.ColumnSchema;
import dev.kudu4j.Schema;
import dev.kudu4j.client.KuduException;
import dev.kudu4j.spark.catalog.LoadedTable;
import dev.kudu4j.spark.catalog.TableDescription;
import dev.kudu4j.spark.statistics.ColumnAnalysis;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.apache.spark.sql.connector.expressions.Expressions;
import org.apache.spark.sql.connector.expressions.NamedReference;
import org.apache.spark.sql.connector.read.Statistics;
import org.apache.spark.sql.connector.read.colstats.ColumnStatistics;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The estimated size of a scan: the table's row count, as its servers last reported it to the
 * master, and the width of the columns. It should not be too low, since Spark broadcasts small
 * tables. Therefore predicates are estimated only if the table was analyzed, other than samples,
 * and the size of a table that is reported as empty is unknown, since it may have been loaded just
 * now.
 */
record ScanStatistics(
    OptionalLong sizeInBytes,
    OptionalLong numRows,
    Map<NamedReference, ColumnStatistics> columnStats)
    implements Statistics {
  private static final Logger LOG = LoggerFactory.getLogger(ScanStatistics.class);
  private static final int ROW_OVERHEAD_BYTES = 8;

  /** Estimates a scan without filters. */
  static ScanStatistics estimate(LoadedTable table, StructType columns, OptionalInt limit) {
    return estimate(table, columns, limit, PushedFilters.NONE);
  }

  static ScanStatistics estimate(
      LoadedTable table, StructType columns, OptionalInt limit, PushedFilters filters) {
    Map<String, ColumnAnalysis> analyzed = analyzed(table);
    long rows = liveRows(table);
    if (rows == 0) {
      rows = table.analysis().rows();
    }
    if (rows > 0 && !analyzed.isEmpty()) {
      rows = Math.max(1, Math.round(rows * new Selectivity(rows, analyzed).of(filters.offered())));
    }
    if (rows > 0) {
      rows = Math.max(1, Math.round(rows * filters.sample().fraction()));
    }
    if (limit.isPresent()) {
      rows = rows == 0 ? limit.getAsInt() : Math.min(rows, limit.getAsInt());
    }
    if (rows == 0) {
      return new ScanStatistics(OptionalLong.empty(), OptionalLong.empty(), Map.of());
    }
    return new ScanStatistics(
        OptionalLong.of(Math.multiplyExact(rows, rowBytes(columns, analyzed))),
        OptionalLong.of(rows),
        reported(columns, analyzed));
  }

  private static long rowBytes(StructType columns, Map<String, ColumnAnalysis> analyzed) {
    long bytes = ROW_OVERHEAD_BYTES;
    for (StructField column : columns.fields()) {
      ColumnAnalysis analysis = analyzed.get(column.name());
      long width = column.dataType().defaultSize();
      bytes += analysis == null ? width : analysis.avgLen().orElse(width);
    }
    return bytes;
  }

  private static Map<String, ColumnAnalysis> analyzed(LoadedTable table) {
    Schema schema = table.kuduTable().getSchema();
    Map<String, ColumnAnalysis> byName = new HashMap<>();
    for (ColumnSchema column : schema.getColumns()) {
      ColumnAnalysis analysis =
          table.analysis().columns().get(schema.getColumnId(column.getName()));
      if (analysis != null) {
        byName.put(column.getName(), analysis);
      }
    }
    return byName;
  }

  /** The statistics of the columns that a scan reads. */
  private static Map<NamedReference, ColumnStatistics> reported(
      StructType columns, Map<String, ColumnAnalysis> analyzed) {
    Map<NamedReference, ColumnStatistics> reported = new HashMap<>();
    for (String name : columns.fieldNames()) {
      if (analyzed.containsKey(name)) {
        reported.put(Expressions.column(TableDescription.quoted(name)), analyzed.get(name));
      }
    }
    return reported;
  }

  private static long liveRows(LoadedTable table) {
    try {
      return table.kuduTable().getTableStatistics().getLiveRowCount();
    } catch (KuduException e) {
      LOG.debug("No statistics of table {}", table.name(), e);
      return 0;
    }
  }
}
