package dev.kudu4j.spark.read;

import dev.kudu4j.ColumnSchema;
import dev.kudu4j.Schema;
import dev.kudu4j.client.KuduColumnStatistics;
import dev.kudu4j.client.KuduException;
import dev.kudu4j.client.KuduTableStatistics;
import dev.kudu4j.spark.catalog.LoadedTable;
import dev.kudu4j.spark.catalog.TableDescription;
import dev.kudu4j.spark.statistics.ColumnAnalysis;
import dev.kudu4j.spark.statistics.Extrapolation;
import dev.kudu4j.spark.type.SparkTypes;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.apache.spark.sql.connector.expressions.Expressions;
import org.apache.spark.sql.connector.expressions.NamedReference;
import org.apache.spark.sql.connector.read.Statistics;
import org.apache.spark.sql.connector.read.colstats.ColumnStatistics;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The estimated size of a scan: the table's row count and size in files, as its servers last
 * reported them to the master, and the width of the columns. It should not be too low, since Spark
 * broadcasts small tables. Therefore predicates are estimated only if the table was analyzed, other
 * than samples, and the size of a table that is reported as empty is unknown, since it may have
 * been loaded just now.
 */
record ScanStatistics(
    OptionalLong sizeInBytes,
    OptionalLong numRows,
    Map<NamedReference, ColumnStatistics> columnStats)
    implements Statistics {
  private static final Logger LOG = LoggerFactory.getLogger(ScanStatistics.class);
  private static final int ROW_OVERHEAD_BYTES = 8;
  private static final int MAX_COMPRESSION = 4;

  /** Estimates a scan without filters. */
  static ScanStatistics estimate(LoadedTable table, StructType columns, OptionalInt limit) {
    return estimate(table, columns, limit, PushedFilters.NONE);
  }

  static ScanStatistics estimate(
      LoadedTable table, StructType columns, OptionalInt limit, PushedFilters filters) {
    Reported reported = reported(table);
    Map<String, ColumnAnalysis> analyzed = analyzed(table, reported);
    long rows = reported.rows() > 0 ? reported.rows() : reported.analyzedRows();
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
        OptionalLong.of(bytes(table, columns, analyzed, rows, reported)),
        OptionalLong.of(rows),
        columnStatistics(columns, analyzed));
  }

  /**
   * The size of some rows in files, as Spark estimates scans of files: the columns have the share
   * of the table's size that their widths have in the width of all columns. So Spark joins tables
   * of either kind in the same way. Rows that are not in files yet are missing there; therefore the
   * size is at least that in memory divided by {@link #MAX_COMPRESSION}.
   */
  private static long bytes(
      LoadedTable table,
      StructType columns,
      Map<String, ColumnAnalysis> analyzed,
      long rows,
      Reported reported) {
    double width = rowBytes(columns, analyzed);
    StructType all = SparkTypes.rowType(table.kuduTable().getSchema().getColumns());
    double inMemory = rows * width;
    double share = width / rowBytes(all, analyzed);
    double perRow = (double) reported.bytes() / Math.max(1, reported.rows());
    double inFiles = Math.max(inMemory / MAX_COMPRESSION, perRow * share * rows);
    return (long) Math.min(inMemory, inFiles);
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

  /** The statistics of columns, by their names, for the current number of rows. */
  private static Map<String, ColumnAnalysis> analyzed(LoadedTable table, Reported reported) {
    Schema schema = table.kuduTable().getSchema();
    Map<String, ColumnAnalysis> byName = new HashMap<>();
    for (ColumnSchema column : schema.getColumns()) {
      Optional.ofNullable(reported.columns().get(schema.getColumnId(column.getName())))
          .flatMap(then -> Extrapolation.of(column, then, reported.rows()))
          .ifPresent(now -> byName.put(column.getName(), now));
    }
    return byName;
  }

  /**
   * The statistics of the columns that a scan reads. Spark's estimates fail if a column of type
   * TIMESTAMP_NTZ has any.
   */
  private static Map<NamedReference, ColumnStatistics> columnStatistics(
      StructType columns, Map<String, ColumnAnalysis> analyzed) {
    Map<NamedReference, ColumnStatistics> reported = new HashMap<>();
    for (StructField column : columns.fields()) {
      ColumnAnalysis analysis = analyzed.get(column.name());
      if (analysis != null && !column.dataType().equals(DataTypes.TimestampNTZType)) {
        reported.put(Expressions.column(TableDescription.quoted(column.name())), analysis);
      }
    }
    return reported;
  }

  /**
   * The statistics of a table at the master.
   *
   * @param rows as the servers last reported them; 0 if that is unknown
   * @param bytes as {@code rows}
   * @param columns the results of analyses, by the ids of columns
   */
  private record Reported(long rows, long bytes, Map<Integer, KuduColumnStatistics> columns) {
    /** The rows that the last analysis counted; 0 without any. */
    long analyzedRows() {
      return columns.values().stream()
          .max(Comparator.comparing(KuduColumnStatistics::analyzedAt))
          .map(KuduColumnStatistics::rowCount)
          .orElse(0L);
    }
  }

  private static Reported reported(LoadedTable table) {
    try {
      KuduTableStatistics known = table.kuduTable().getTableStatistics();
      Map<Integer, KuduColumnStatistics> columns = new HashMap<>(table.analysis());
      columns.putAll(known.getColumnStatistics());
      return new Reported(known.getLiveRowCount(), known.getOnDiskSize(), columns);
    } catch (KuduException e) {
      LOG.debug("Cannot get statistics of table {}", table.name(), e);
      return new Reported(0, 0, table.analysis());
    }
  }
}
