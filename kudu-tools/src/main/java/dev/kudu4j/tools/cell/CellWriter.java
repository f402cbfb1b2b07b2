package dev.kudu4j.tools.cell;

import dev.kudu4j.ColumnSchema;
import dev.kudu4j.Type;
import dev.kudu4j.client.ArrayCellView;
import dev.kudu4j.client.RowResult;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/** Formats a value such that {@link CellReader} can parse it. */
public final class CellWriter {
  private CellWriter() {}

  /** The cell of a row as a number, a boolean, a string or an {@link ArrayValue}; null for NULL. */
  public static Object of(RowResult row, int column, ColumnSchema schema) {
    if (row.isNull(column)) {
      return null;
    }
    return switch (schema.getType()) {
      case INT8 -> row.getByte(column);
      case INT16 -> row.getShort(column);
      case INT32 -> row.getInt(column);
      case INT64 -> row.getLong(column);
      case BOOL -> row.getBoolean(column);
      case FLOAT -> row.getFloat(column);
      case DOUBLE -> row.getDouble(column);
      case DECIMAL -> row.getDecimal(column);
      case DATE -> row.getDate(column).toLocalDate().toString();
      case UNIXTIME_MICROS ->
          schema.isWithoutTimeZone()
              ? Instants.localText(row.getLong(column))
              : Instants.text(row.getLong(column));
      case BINARY -> hex(row.getBinaryCopy(column));
      case VARCHAR -> row.getVarchar(column);
      case NESTED -> array(row.getArray(column), ColumnSchema.of(schema.toCommon().element()));
      default -> row.getString(column);
    };
  }

  private static ArrayValue array(ArrayCellView array, ColumnSchema element) {
    List<Object> values = new ArrayList<>(array.length());
    for (int i = 0; i < array.length(); i++) {
      values.add(array.isValid(i) ? element(array, i, element.getType()) : null);
    }
    return new ArrayValue(values);
  }

  private static Object element(ArrayCellView array, int at, Type type) {
    return switch (type) {
      case INT8 -> array.getInt8(at);
      case INT16 -> array.getInt16(at);
      case INT32 -> array.getInt32(at);
      case INT64 -> array.getInt64(at);
      case BOOL -> array.getBoolean(at);
      case FLOAT -> array.getFloat(at);
      case DOUBLE -> array.getDouble(at);
      case DECIMAL -> array.getDecimal(at);
      case DATE -> LocalDate.ofEpochDay(array.getInt32(at)).toString();
      case UNIXTIME_MICROS -> Instants.text(array.getInt64(at));
      case BINARY -> hex(array.getBinary(at));
      default -> array.getString(at);
    };
  }

  private static String hex(byte[] bytes) {
    return "0x" + HexFormat.of().formatHex(bytes);
  }
}
