package dev.kudu4j.client.arrow;

import dev.kudu4j.common.schema.ColumnSchema;
import dev.kudu4j.common.schema.Schema;
import java.util.List;
import org.apache.arrow.vector.types.DateUnit;
import org.apache.arrow.vector.types.FloatingPointPrecision;
import org.apache.arrow.vector.types.TimeUnit;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;

/**
 * The Arrow types of columns. Timestamps are in microseconds and UTC, or without time zone as their
 * columns are; decimals have 128 bits whatever their precision. Arrays are lists, whose elements
 * have the type of such columns.
 */
public final class ArrowFields {
  /** The layout of cells whose wire layout is not Arrow's. */
  public enum Form {
    /** Arrow's layout: one bit per boolean, 16 bytes per decimal. */
    ARROW,
    /**
     * The wire layout, as integers of the same width: one byte per boolean, 4 bytes per decimal of
     * up to 9 digits, 8 bytes per decimal of up to 18 digits. For readers that have their own
     * vector classes for booleans and decimals.
     */
    AS_RECEIVED
  }

  /** The name of the field of a list's elements. */
  private static final String ELEMENT = "element";

  private ArrowFields() {}

  public static org.apache.arrow.vector.types.pojo.Schema schema(Schema projection, Form form) {
    return new org.apache.arrow.vector.types.pojo.Schema(
        projection.columns().stream().map(column -> field(column, form)).toList());
  }

  private static Field field(ColumnSchema column, Form form) {
    return field(
        column.name(),
        column,
        form,
        column.isArray() ? List.of(field(ELEMENT, column.element(), form, List.of())) : List.of());
  }

  private static Field field(String name, ColumnSchema column, Form form, List<Field> children) {
    ArrowType type = form == Form.AS_RECEIVED ? received(column) : type(column);
    return new Field(name, new FieldType(column.isNullable(), type, null), children);
  }

  private static ArrowType received(ColumnSchema column) {
    return switch (column.type()) {
      case BOOL, IS_DELETED, DECIMAL32, DECIMAL64 ->
          new ArrowType.Int(column.type().width() * 8, true);
      default -> type(column);
    };
  }

  private static ArrowType type(ColumnSchema column) {
    return switch (column.type()) {
      case INT8, INT16, INT32, INT64 -> new ArrowType.Int(column.type().width() * 8, true);
      case UINT8, UINT16, UINT32, UINT64 -> new ArrowType.Int(column.type().width() * 8, false);
      case BOOL, IS_DELETED -> ArrowType.Bool.INSTANCE;
      case FLOAT -> new ArrowType.FloatingPoint(FloatingPointPrecision.SINGLE);
      case DOUBLE -> new ArrowType.FloatingPoint(FloatingPointPrecision.DOUBLE);
      case STRING, VARCHAR -> ArrowType.Utf8.INSTANCE;
      case BINARY -> ArrowType.Binary.INSTANCE;
      case DATE -> new ArrowType.Date(DateUnit.DAY);
      case UNIXTIME_MICROS ->
          new ArrowType.Timestamp(TimeUnit.MICROSECOND, column.isWithoutTimeZone() ? null : "UTC");
      case DECIMAL32, DECIMAL64, DECIMAL128 ->
          new ArrowType.Decimal(column.precision(), column.scale(), 128);
      case INT128 -> new ArrowType.FixedSizeBinary(16);
      case NESTED -> ArrowType.List.INSTANCE;
    };
  }
}
