package dev.kudu4j.client;

import com.google.protobuf.ByteString;
import dev.kudu4j.CellForm;
import dev.kudu4j.ColumnSchema;
import dev.kudu4j.Schema;
import dev.kudu4j.Type;
import dev.kudu4j.common.proto.master.ColumnStatisticsPB;
import dev.kudu4j.common.proto.master.GetTableStatisticsResponsePB;
import dev.kudu4j.common.wire.SchemaWire;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/** Statistics of columns as messages. */
final class ColumnStatisticsWire {
  private ColumnStatisticsWire() {}

  /**
   * @param id the id of the column
   * @throws IllegalArgumentException if an extreme is not a value of the column's type
   */
  static ColumnStatisticsPB toWire(int id, ColumnSchema column, KuduColumnStatistics statistics) {
    ColumnStatisticsPB.Builder message =
        ColumnStatisticsPB.newBuilder()
            .setColumnId(id)
            .setAnalyzedMicros(ChronoUnit.MICROS.between(Instant.EPOCH, statistics.analyzedAt()))
            .setRowCount(statistics.rowCount())
            .setNullCount(statistics.nullCount())
            .setDistinctCount(statistics.distinctCount());
    if (!isText(column)) {
      statistics.min().ifPresent(min -> message.setMin(cell(column, min)));
      statistics.max().ifPresent(max -> message.setMax(cell(column, max)));
    }
    statistics.averageLength().ifPresent(message::setAverageLength);
    statistics.maxLength().ifPresent(message::setMaxLength);
    return message.build();
  }

  private static boolean isText(ColumnSchema column) {
    return column.getType() == Type.STRING
        || column.getType() == Type.VARCHAR
        || column.getType() == Type.BINARY;
  }

  private static ByteString cell(ColumnSchema column, Object value) {
    return ByteString.copyFrom(CellForm.of(column, value));
  }

  /** The statistics of a response, by the ids of the columns. */
  static Map<Integer, KuduColumnStatistics> fromWire(GetTableStatisticsResponsePB response) {
    if (response.getColumnsCount() == 0) {
      return Map.of();
    }
    Schema schema = Schema.of(SchemaWire.fromWire(response.getSchema()));
    Map<Integer, KuduColumnStatistics> all = new HashMap<>();
    for (ColumnStatisticsPB message : response.getColumnsList()) {
      int index = schema.getColumnIndex(message.getColumnId());
      all.put(message.getColumnId(), fromWire(schema.getColumnByIndex(index), message));
    }
    return all;
  }

  private static KuduColumnStatistics fromWire(ColumnSchema column, ColumnStatisticsPB message) {
    return new KuduColumnStatistics(
        Instant.EPOCH.plus(message.getAnalyzedMicros(), ChronoUnit.MICROS),
        message.getRowCount(),
        message.getNullCount(),
        message.getDistinctCount(),
        value(column, message.getMin()),
        value(column, message.getMax()),
        message.hasAverageLength()
            ? OptionalLong.of(message.getAverageLength())
            : OptionalLong.empty(),
        message.hasMaxLength() ? OptionalLong.of(message.getMaxLength()) : OptionalLong.empty());
  }

  private static Optional<Object> value(ColumnSchema column, ByteString cell) {
    return cell.isEmpty()
        ? Optional.empty()
        : Optional.of(CellForm.value(column, cell.toByteArray(), 0, cell.size()));
  }
}
