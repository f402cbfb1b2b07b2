package dev.kudu4j.tools.cell;

import dev.kudu4j.ColumnSchema;
import dev.kudu4j.client.RowResult;
import java.util.HexFormat;

/** Formats a value such that {@link CellReader} can parse it. */
public final class CellWriter {
  private CellWriter() {}

  /** The cell of a row as a number, a boolean or a text; null for NULL. */
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
      default -> row.getString(column);
    };
  }

  private static String hex(byte[] bytes) {
    return "0x" + HexFormat.of().formatHex(bytes);
  }
}
