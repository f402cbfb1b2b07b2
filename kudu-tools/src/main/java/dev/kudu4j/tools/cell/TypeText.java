package dev.kudu4j.tools.cell;

import dev.kudu4j.ColumnSchema;
import dev.kudu4j.Type;

/**
 * Formats the type of a column: {@code INT32}, {@code DECIMAL(10, 2)}, {@code UNIXTIME_MICROS
 * WITHOUT TIME ZONE}.
 */
public final class TypeText {
  private TypeText() {}

  public static String of(ColumnSchema column) {
    Type type = column.getType();
    return switch (type) {
      case DECIMAL ->
          "DECIMAL("
              + column.getTypeAttributes().getPrecision()
              + ", "
              + column.getTypeAttributes().getScale()
              + ")";
      case VARCHAR -> "VARCHAR(" + column.getTypeAttributes().getLength() + ")";
      default -> type.name() + (column.isWithoutTimeZone() ? " WITHOUT TIME ZONE" : "");
    };
  }
}
