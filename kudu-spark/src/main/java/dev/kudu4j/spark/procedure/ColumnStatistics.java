package dev.kudu4j.spark.procedure;

import dev.kudu4j.ColumnSchema;
import dev.kudu4j.Schema;
import dev.kudu4j.client.KuduColumnStatistics;
import dev.kudu4j.client.KuduException;
import dev.kudu4j.spark.catalog.LoadedTable;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.Function;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;

/**
 * {@code column_statistics(table)}: the statistics that {@code analyze} has found, with the time of
 * the analysis and the number of rows at that time. One row for each analyzed column.
 */
final class ColumnStatistics extends TableProcedure {
  ColumnStatistics(Function<String, LoadedTable> tables) {
    super(tables);
  }

  @Override
  public String name() {
    return "column_statistics";
  }

  @Override
  public String description() {
    return "Lists the statistics of columns that the procedure analyze has found";
  }

  @Override
  StructType resultColumns() {
    return new StructType()
        .add("column", DataTypes.StringType, false)
        .add("analyzed_at", DataTypes.TimestampType, false)
        .add("row_count", DataTypes.LongType, false)
        .add("null_count", DataTypes.LongType, false)
        .add("distinct_count", DataTypes.LongType, false)
        .add("min", DataTypes.StringType)
        .add("max", DataTypes.StringType)
        .add("average_length", DataTypes.LongType)
        .add("max_length", DataTypes.LongType);
  }

  @Override
  List<InternalRow> run(LoadedTable table, InternalRow arguments) throws KuduException {
    Map<Integer, KuduColumnStatistics> known = new HashMap<>(table.analysis());
    known.putAll(table.kuduTable().getTableStatistics().getColumnStatistics());
    Schema schema = table.kuduTable().getSchema();
    List<InternalRow> result = new ArrayList<>();
    for (ColumnSchema column : schema.getColumns()) {
      KuduColumnStatistics statistics = known.get(schema.getColumnId(column.getName()));
      if (statistics != null) {
        result.add(row(column, statistics));
      }
    }
    return result;
  }

  private static InternalRow row(ColumnSchema column, KuduColumnStatistics statistics) {
    return row(
        column.getName(),
        ChronoUnit.MICROS.between(Instant.EPOCH, statistics.analyzedAt()),
        statistics.rowCount(),
        statistics.nullCount(),
        statistics.distinctCount(),
        statistics.min().map(min -> ExtremeText.of(column, min)).orElse(null),
        statistics.max().map(max -> ExtremeText.of(column, max)).orElse(null),
        orNull(statistics.averageLength()),
        orNull(statistics.maxLength()));
  }

  private static Long orNull(OptionalLong length) {
    return length.isPresent() ? Long.valueOf(length.getAsLong()) : null;
  }
}
