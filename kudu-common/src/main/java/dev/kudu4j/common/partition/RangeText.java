package dev.kudu4j.common.partition;

import dev.kudu4j.common.key.KeyDecoder;
import dev.kudu4j.common.schema.CellOrder;
import dev.kudu4j.common.schema.CellText;
import dev.kudu4j.common.schema.ColumnSchema;
import dev.kudu4j.common.schema.DataType;
import dev.kudu4j.common.schema.Schema;
import java.util.Arrays;
import java.util.List;
import java.util.StringJoiner;

/** Formats range partitions for messages and web pages: {@code 0 <= VALUES < 10}. */
public final class RangeText {
  private RangeText() {}

  /**
   * {@code UNBOUNDED}, {@code VALUES >= 0}, {@code VALUES < 10}, {@code 0 <= VALUES < 10} or {@code
   * VALUE = 0}.
   */
  public static String of(RangeBounds bounds, PartitionSchema partitionSchema, Schema table) {
    List<ColumnSchema> columns = partitionSchema.rangeColumns(table);
    if (!bounds.hasLower()) {
      return bounds.hasUpper() ? "VALUES < " + ofKey(bounds.upper(), columns) : "UNBOUNDED";
    }
    if (!bounds.hasUpper()) {
      return "VALUES >= " + ofKey(bounds.lower(), columns);
    }
    if (isOneValue(bounds, columns)) {
      return "VALUE = " + ofKey(bounds.lower(), columns);
    }
    return ofKey(bounds.lower(), columns) + " <= VALUES < " + ofKey(bounds.upper(), columns);
  }

  /** One encoded range key: {@code 5} or {@code (5, "a")}. */
  static String ofKey(byte[] rangeKey, List<ColumnSchema> columns) {
    byte[][] cells = KeyDecoder.decode(types(columns), rangeKey);
    if (cells.length == 1) {
      return CellText.of(columns.get(0), cells[0]);
    }
    StringJoiner text = new StringJoiner(", ", "(", ")");
    for (int i = 0; i < cells.length; i++) {
      text.add(CellText.of(columns.get(i), cells[i]));
    }
    return text.toString();
  }

  private static boolean isOneValue(RangeBounds bounds, List<ColumnSchema> columns) {
    byte[][] lower = KeyDecoder.decode(types(columns), bounds.lower());
    byte[][] upper = KeyDecoder.decode(types(columns), bounds.upper());
    int last = lower.length - 1;
    for (int i = 0; i < last; i++) {
      if (!Arrays.equals(lower[i], upper[i])) {
        return false;
      }
    }
    return Arrays.equals(CellOrder.successor(columns.get(last).type(), lower[last]), upper[last]);
  }

  private static List<DataType> types(List<ColumnSchema> columns) {
    return columns.stream().map(ColumnSchema::type).toList();
  }
}
