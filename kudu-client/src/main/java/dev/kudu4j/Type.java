package dev.kudu4j;

import dev.kudu4j.common.schema.DataType;
import java.util.Locale;

/**
 * The type of a column. A decimal is one type in this enum, and one of three types on the wire,
 * depending on its precision.
 */
public enum Type {
  INT8(DataType.INT8),
  INT16(DataType.INT16),
  INT32(DataType.INT32),
  INT64(DataType.INT64),
  BINARY(DataType.BINARY),
  STRING(DataType.STRING),
  BOOL(DataType.BOOL),
  FLOAT(DataType.FLOAT),
  DOUBLE(DataType.DOUBLE),
  UNIXTIME_MICROS(DataType.UNIXTIME_MICROS),
  DECIMAL(null),
  VARCHAR(DataType.VARCHAR),
  DATE(DataType.DATE),
  /**
   * A one-dimensional array; {@link ColumnSchema#getNestedTypeDescriptor} has the type of its
   * elements. Built by {@link ColumnSchema.ColumnSchemaBuilder#array}.
   */
  NESTED(DataType.NESTED);

  /** Bytes of a variable-length cell inside a row: an offset and a length. */
  private static final int SLICE_BYTES = 16;

  private final DataType dataType;
  private final String typeName;

  Type(DataType dataType) {
    this.dataType = dataType;
    this.typeName = name().toLowerCase(Locale.ROOT);
  }

  /** The type of a stored column; the three decimal types of the wire are one type in this enum. */
  public static Type of(DataType type) {
    return switch (type) {
      case INT8 -> INT8;
      case INT16 -> INT16;
      case INT32 -> INT32;
      case INT64 -> INT64;
      case BINARY -> BINARY;
      case STRING -> STRING;
      case BOOL, IS_DELETED -> BOOL;
      case FLOAT -> FLOAT;
      case DOUBLE -> DOUBLE;
      case UNIXTIME_MICROS -> UNIXTIME_MICROS;
      case DECIMAL32, DECIMAL64, DECIMAL128 -> DECIMAL;
      case VARCHAR -> VARCHAR;
      case DATE -> DATE;
      case NESTED -> NESTED;
      case UINT8, UINT16, UINT32, UINT64, INT128 ->
          throw new IllegalArgumentException(
              "The provided data type doesn't map to any known one: " + type);
    };
  }

  /** The same as {@link #of}. */
  public static Type getTypeForDataType(DataType type) {
    return of(type);
  }

  /** The type with a name such as {@code int32}, in any case. */
  public static Type getTypeForName(String name) {
    for (Type type : values()) {
      if (type.name().equalsIgnoreCase(name)) {
        return type;
      }
    }
    throw new IllegalArgumentException("The provided name doesn't map to any known type: " + name);
  }

  /** The type on the wire. Fails for DECIMAL, whose wire type depends on its precision. */
  public DataType getDataType() {
    if (this == DECIMAL) {
      throw new IllegalStateException(
          "Please use getDataType(ColumnTypeAttributes): the type depends on the precision");
    }
    return dataType;
  }

  /** The type on the wire. */
  public DataType getDataType(ColumnTypeAttributes attributes) {
    return this == DECIMAL ? ofPrecision(attributes.getPrecision()) : dataType;
  }

  private static DataType ofPrecision(int precision) {
    if (precision > 38) {
      throw new IllegalArgumentException("Unsupported decimal type precision: " + precision);
    }
    if (precision <= 9) {
      return DataType.DECIMAL32;
    }
    return precision <= 18 ? DataType.DECIMAL64 : DataType.DECIMAL128;
  }

  /** Lower case, as in {@code int32}. */
  public String getName() {
    return typeName;
  }

  /** Bytes of a cell inside a row. Fails for DECIMAL, whose size depends on its precision. */
  public int getSize() {
    return sizeOf(getDataType());
  }

  /** Bytes of a cell inside a row. */
  public int getSize(ColumnTypeAttributes attributes) {
    return sizeOf(getDataType(attributes));
  }

  private static int sizeOf(DataType type) {
    return type.isVariableLength() ? SLICE_BYTES : type.width();
  }

  public boolean isFixedSize() {
    return dataType == null || !dataType.isVariableLength();
  }

  @Override
  public String toString() {
    return "Type: " + typeName;
  }
}
