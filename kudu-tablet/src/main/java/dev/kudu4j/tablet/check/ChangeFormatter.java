package dev.kudu4j.tablet.check;

import dev.kudu4j.common.memory.Memory;
import dev.kudu4j.common.schema.ColumnSchema;
import dev.kudu4j.tablet.delta.RowChange;
import dev.kudu4j.tablet.delta.RowChangeReader;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Formats row changes for messages and dumps. */
final class ChangeFormatter {
  private ChangeFormatter() {}

  /**
   * The change as text.
   *
   * @param columns the columns by id; cells of other columns are printed as bytes
   */
  static String of(long change, int length, Map<Integer, ColumnSchema> columns) {
    StringBuilder text = new StringBuilder();
    text.append(
        switch (RowChange.kind(change)) {
          case RowChange.UPDATE -> "update";
          case RowChange.DELETE -> "delete";
          default -> "reinsert";
        });
    RowChangeReader reader = new RowChangeReader();
    reader.open(change, length);
    while (reader.nextCell()) {
      ColumnSchema column = columns.get(reader.columnId());
      String name = column == null ? "column id " + reader.columnId() : column.name();
      text.append(", ").append(name).append(' ').append(cell(reader, column));
    }
    return text.toString();
  }

  private static String cell(RowChangeReader reader, @Nullable ColumnSchema column) {
    if (reader.isNull()) {
      return "NULL";
    }
    byte[] cell = new byte[reader.cellLength()];
    Memory.copy(reader.cellAddress(), cell, 0, cell.length);
    return column == null ? Hex.of(cell) : CellFormatter.of(column, cell);
  }
}
