package dev.kudu4j.spark.procedure;

import dev.kudu4j.ColumnSchema;
import dev.kudu4j.Type;
import dev.kudu4j.client.KuduAggregateBuilder;
import dev.kudu4j.client.KuduColumnStatistics;
import dev.kudu4j.client.KuduException;
import dev.kudu4j.client.RowResult;
import dev.kudu4j.spark.catalog.LoadedTable;
import dev.kudu4j.spark.catalog.TableDescription;
import dev.kudu4j.spark.statistics.AnalyzedTables;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.connector.catalog.procedures.ProcedureParameter;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;

/**
 * {@code analyze(table, columns)}: computes statistics of columns for Spark's optimizer and stores
 * them in the table's metadata. The default is all columns except arrays. The servers count rows
 * and values, find the extremes and estimate the number of distinct values; Spark reads columns of
 * text for their length.
 */
final class Analyze extends TableProcedure {
  private static final String COLUMNS = "columns";
  private static final int COLUMNS_INDEX = 1;

  /** Limits the size of a request. */
  private static final int COLUMNS_PER_REQUEST = 32;

  private static final String ROWS = "rows";
  private static final String COUNT = "count_";
  private static final String DISTINCT = "distinct_";
  private static final String MIN = "min_";
  private static final String MAX = "max_";

  private final AnalyzedTables analyzed;

  Analyze(Function<String, LoadedTable> tables, AnalyzedTables analyzed) {
    super(tables);
    this.analyzed = analyzed;
  }

  @Override
  public String name() {
    return "analyze";
  }

  @Override
  public String description() {
    return "Computes statistics of columns for the optimizer and keeps them in the table's metadata";
  }

  @Override
  List<ProcedureParameter> furtherParameters() {
    return List.of(
        ProcedureParameter.in(COLUMNS, DataTypes.createArrayType(DataTypes.StringType))
            .defaultValue("CAST(NULL AS ARRAY<STRING>)")
            .comment("names of columns; all but arrays by default")
            .build());
  }

  @Override
  StructType resultColumns() {
    return new StructType()
        .add("column", DataTypes.StringType, false)
        .add("row_count", DataTypes.LongType, false)
        .add("null_count", DataTypes.LongType, false)
        .add("distinct_count", DataTypes.LongType, false)
        .add("min", DataTypes.StringType)
        .add("max", DataTypes.StringType);
  }

  @Override
  List<InternalRow> run(LoadedTable table, InternalRow arguments) throws KuduException {
    List<ColumnSchema> columns = columns(table, arguments);
    Instant now = Instant.now();
    List<Counted> counted = new ArrayList<>();
    for (int from = 0; from < columns.size(); from += COLUMNS_PER_REQUEST) {
      int to = Math.min(from + COLUMNS_PER_REQUEST, columns.size());
      counted.addAll(count(table, columns.subList(from, to)));
    }
    Row lengths = lengths(table, columns);
    Map<Integer, KuduColumnStatistics> analyses = new HashMap<>();
    List<InternalRow> result = new ArrayList<>();
    for (int i = 0, next = 0; i < columns.size(); i++) {
      ColumnSchema column = columns.get(i);
      Counted found = counted.get(i);
      OptionalLong avgLen = OptionalLong.empty();
      OptionalLong maxLen = OptionalLong.empty();
      if (isText(column)) {
        avgLen = length(lengths, next++);
        maxLen = length(lengths, next++);
      }
      analyses.put(
          table.kuduTable().getSchema().getColumnId(column.getName()),
          new KuduColumnStatistics(
              now,
              found.rows(),
              found.nulls(),
              found.distinct(),
              found.min(),
              found.max(),
              avgLen,
              maxLen));
      result.add(
          row(
              column.getName(),
              found.rows(),
              found.nulls(),
              found.distinct(),
              found.minText(),
              found.maxText()));
    }
    analyzed.add(table.kuduTable(), analyses);
    return result;
  }

  private List<ColumnSchema> columns(LoadedTable table, InternalRow arguments) {
    List<ColumnSchema> all = table.kuduTable().getSchema().getColumns();
    if (arguments.isNullAt(COLUMNS_INDEX)) {
      return all.stream().filter(column -> !column.isArray()).toList();
    }
    List<ColumnSchema> wanted = new ArrayList<>();
    for (Object name : arguments.getArray(COLUMNS_INDEX).toObjectArray(DataTypes.StringType)) {
      wanted.add(
          all.stream()
              .filter(column -> column.getName().equalsIgnoreCase(String.valueOf(name)))
              .findFirst()
              .orElseThrow(
                  () ->
                      new IllegalArgumentException(
                          "Table "
                              + table.name()
                              + " has no column "
                              + name
                              + " to analyze; it has "
                              + all.stream().map(ColumnSchema::getName).toList())));
    }
    if (wanted.isEmpty()) {
      throw new IllegalArgumentException(
          "Procedure " + name() + " needs columns; omit the parameter for all columns");
    }
    wanted.stream().filter(ColumnSchema::isArray).findFirst().ifPresent(this::refuse);
    return wanted.stream().distinct().toList();
  }

  private void refuse(ColumnSchema array) {
    throw new IllegalArgumentException(
        "Procedure "
            + name()
            + " cannot analyze column "
            + array.getName()
            + ": its arrays cannot be compared; name other columns");
  }

  private static boolean isText(ColumnSchema column) {
    return column.getType() == Type.STRING
        || column.getType() == Type.VARCHAR
        || column.getType() == Type.BINARY;
  }

  // ---------------------------------------------------------------- servers

  /** The results of the servers. */
  private record Counted(
      long rows,
      long nulls,
      long distinct, // an estimate
      Optional<Object> min,
      Optional<Object> max,
      String minText, // null if there is no value
      String maxText) {}

  private static List<Counted> count(LoadedTable table, List<ColumnSchema> columns)
      throws KuduException {
    KuduAggregateBuilder aggregate = table.kuduTable().aggregate().count(ROWS);
    for (int i = 0; i < columns.size(); i++) {
      String name = columns.get(i).getName();
      aggregate
          .count(COUNT + i, name)
          .countDistinctApprox(DISTINCT + i, name)
          .min(MIN + i, name)
          .max(MAX + i, name);
    }
    RowResult totals = aggregate.build().execute().next();
    List<Counted> counted = new ArrayList<>();
    for (int i = 0; i < columns.size(); i++) {
      long rows = totals.getLong(ROWS);
      counted.add(
          new Counted(
              rows,
              rows - totals.getLong(COUNT + i),
              Math.min(totals.getLong(DISTINCT + i), totals.getLong(COUNT + i)),
              extreme(totals, MIN + i, columns.get(i)),
              extreme(totals, MAX + i, columns.get(i)),
              text(totals, MIN + i, columns.get(i)),
              text(totals, MAX + i, columns.get(i))));
    }
    return counted;
  }

  /** Empty for text, and for NaN, which has no place in an interval. */
  private static Optional<Object> extreme(RowResult totals, String name, ColumnSchema column) {
    if (totals.isNull(name) || isText(column)) {
      return Optional.empty();
    }
    Object value = totals.getObject(name);
    return value instanceof Number number && Double.isNaN(number.doubleValue())
        ? Optional.empty()
        : Optional.of(value);
  }

  private static String text(RowResult totals, String name, ColumnSchema column) {
    return totals.isNull(name) || column.getType() == Type.BINARY
        ? null
        : ExtremeText.of(column, totals.getObject(name));
  }

  // ---------------------------------------------------------------- Spark

  /** The average and the maximum length of each text column; not read if there is none. */
  private static Row lengths(LoadedTable table, List<ColumnSchema> columns) {
    List<String> results = new ArrayList<>();
    for (ColumnSchema column : columns) {
      if (isText(column)) {
        String name = TableDescription.quoted(column.getName());
        results.add("avg(octet_length(" + name + "))");
        results.add("max(octet_length(" + name + "))");
      }
    }
    return results.isEmpty()
        ? RowFactory.create()
        : SparkSession.active()
            .sql("SELECT " + String.join(", ", results) + " FROM " + table.name())
            .head();
  }

  private static OptionalLong length(Row lengths, int index) {
    return lengths.isNullAt(index)
        ? OptionalLong.empty()
        : OptionalLong.of(Math.round(((Number) lengths.get(index)).doubleValue()));
  }
}
