package dev.kudu4j.common.schema;

import dev.kudu4j.common.status.KuduException;

/**
 * A column type, numbered as on the wire ({@code DataType} of the protocol). Decimals have three
 * types, by precision.
 *
 * <p>The <em>cell form</em> of a fixed-width value is its little-endian bytes; the cell form of a
 * variable-length value is its bytes. Booleans take one byte, decimals 4, 8 or 16.
 */
public enum DataType {
  UINT8(0, 1),
  INT8(1, 1),
  UINT16(2, 2),
  INT16(3, 2),
  UINT32(4, 4),
  INT32(5, 4),
  UINT64(6, 8),
  INT64(7, 8),
  STRING(8, 0),
  BOOL(9, 1),
  FLOAT(10, 4),
  DOUBLE(11, 8),
  BINARY(12, 0),
  UNIXTIME_MICROS(13, 8),
  INT128(14, 16),
  DECIMAL32(15, 4),
  DECIMAL64(16, 8),
  DECIMAL128(17, 16),
  /** The virtual column of diff scans: a BOOL cell that is never stored. */
  IS_DELETED(18, 1),
  VARCHAR(19, 0),
  DATE(20, 4),
  /**
   * A one-dimensional array of scalars; {@link ColumnSchema#elementType} is the type of its
   * elements. Its cell form is that of {@link dev.kudu4j.common.array}.
   */
  NESTED(21, 0);

  private static final DataType[] BY_NUMBER = new DataType[22];

  static {
    for (DataType type : values()) {
      BY_NUMBER[type.wireNumber] = type;
    }
  }

  private final int wireNumber;
  private final int width;

  DataType(int wireNumber, int width) {
    this.wireNumber = wireNumber;
    this.width = width;
  }

  public int wireNumber() {
    return wireNumber;
  }

  /** Number of bytes of a cell; 0 for a variable-length type. */
  public int width() {
    return width;
  }

  public boolean isVariableLength() {
    return width == 0;
  }

  public boolean isDecimal() {
    return this == DECIMAL32 || this == DECIMAL64 || this == DECIMAL128;
  }

  public boolean isFloating() {
    return this == FLOAT || this == DOUBLE;
  }

  /**
   * Whether expressions can compute with the type: a float, or an integer, decimal, date or time
   * that fits into a signed 64-bit integer.
   */
  public boolean isNumber() {
    return switch (this) {
      case UINT64, INT128, DECIMAL128, STRING, BINARY, VARCHAR, BOOL, IS_DELETED, NESTED -> false;
      default -> true;
    };
  }

  public boolean isUnsigned() {
    return this == UINT8 || this == UINT16 || this == UINT32 || this == UINT64;
  }

  /** Whether a key may contain a column of this type. */
  public boolean isKeyable() {
    return switch (this) {
      case BOOL, FLOAT, DOUBLE, IS_DELETED, NESTED -> false;
      default -> true;
    };
  }

  /**
   * Returns the type with this wire number.
   *
   * @throws KuduException INVALID_ARGUMENT if no type has this number
   */
  public static DataType ofWireNumber(int number) {
    if (number < 0 || number >= BY_NUMBER.length) {
      throw KuduException.invalidArgument("Unknown column type number %d", number);
    }
    return BY_NUMBER[number];
  }
}
