package dev.kudu4j.client;

import dev.kudu4j.ColumnSchema;
import dev.kudu4j.Schema;
import dev.kudu4j.Type;
import dev.kudu4j.common.schema.LittleEndian;
import dev.kudu4j.util.DateUtil;
import dev.kudu4j.util.StringUtil;
import dev.kudu4j.util.TimestampUtil;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/** Rows as messages show them: {@code (int32 id=7, string name="x")}. */
final class PartialRowText {
  private PartialRowText() {}

  /**
   * The key columns.
   *
   * @throws IllegalStateException when a key column is not set
   */
  static String ofKey(PartialRow row) {
    Schema schema = row.getSchema();
    StringBuilder text = new StringBuilder("(");
    for (int column = 0; column < schema.getPrimaryKeyColumnCount(); column++) {
      ColumnSchema of = schema.getColumnByIndex(column);
      if (!row.hasCell(column)) {
        throw new IllegalStateException("Column " + of.getName() + " is not set");
      }
      text.append(column == 0 ? "" : ", ").append(of.getType().getName()).append(' ');
      appendCell(row, column, text);
    }
    return text.append(')').toString();
  }

  /** The columns that are set. */
  static String of(PartialRow row) {
    Schema schema = row.getSchema();
    StringBuilder text = new StringBuilder("(");
    for (int column = 0; column < schema.getColumnCount(); column++) {
      if (!row.isSet(column)) {
        continue;
      }
      ColumnSchema of = schema.getColumnByIndex(column);
      Type scalar = Type.of(of.toCommon().scalarType());
      text.append(text.length() == 1 ? "" : ", ").append(scalar.getName());
      if (of.getTypeAttributes() != null) {
        text.append(of.getTypeAttributes().toStringForType(scalar));
      }
      text.append(of.isArray() ? "[]" : "");
      text.append(' ');
      appendCell(row, column, text);
    }
    return text.append(')').toString();
  }

  private static void appendCell(PartialRow row, int column, StringBuilder text) {
    ColumnSchema of = row.getSchema().getColumnByIndex(column);
    text.append(of.getName()).append('=');
    if (row.isNull(column)) {
      text.append("NULL");
      return;
    }
    byte[] cell = row.cellArray(column);
    int at = row.cellOffset(column);
    switch (of.getType()) {
      case STRING, VARCHAR -> {
        text.append('"');
        StringUtil.appendEscapedSQLString(new String(cell, StandardCharsets.UTF_8), text);
        text.append('"');
      }
      case BINARY -> appendBinary(cell, text);
      case DATE -> text.append(DateUtil.epochDaysToDateString(LittleEndian.getInt(cell, at)));
      case UNIXTIME_MICROS ->
          text.append(TimestampUtil.timestampToString(LittleEndian.getLong(cell, at)));
      case NESTED -> text.append(new ArrayCellView(of, cell, at, row.cellLength(column)));
      default -> text.append(row.getObject(column));
    }
  }

  private static void appendBinary(byte[] bytes, StringBuilder text) {
    text.append('"');
    for (byte b : bytes) {
      if (b >= ' ' && b <= '~' && b != '"' && b != '\\') {
        text.append((char) b);
      } else {
        text.append(String.format(Locale.ROOT, "\\x%02X", b & 0xff));
      }
    }
    text.append('"');
  }
}
