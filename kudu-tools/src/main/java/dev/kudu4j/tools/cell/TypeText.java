package dev.kudu4j.tools.cell;

import dev.kudu4j.ColumnSchema;
import dev.kudu4j.Type;

/**
 * Formats the type of a column: {@code INT32}, {@code DECIMAL(10, 2)}, {@code UNIXTIME_MICROS
 * WITHOUT TIME ZONE}, {@code INT32 1D-ARRAY}.
 */
public final class TypeText {
  private TypeText() {}

  public static String of(ColumnSchema column) {
    Type type = Type.of(column.toCommon().scalarType());
    String scalar = scalar(column, type);
    return column.isArray() ? scalar + " 1D-ARRAY" : scalar;
  }

  private static String scalar(ColumnSchema column, Type type) {
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
