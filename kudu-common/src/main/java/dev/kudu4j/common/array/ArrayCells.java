package dev.kudu4j.common.array;

import dev.kudu4j.common.schema.DataType;

/** Constants of array cells. */
public final class ArrayCells {
  static final int KIND_FIELD = 0;
  static final int ELEMENTS_FIELD = 1;
  static final int VALIDITY_FIELD = 2;

  /** The only field of a table of elements, and of a binary element. */
  static final int VALUES_FIELD = 0;

  static final int UNSUPPORTED = 0;
  static final int TEXT = 11;
  static final int BINARY = 12;

  private ArrayCells() {}

  /** Whether an array can have elements of the type; 128-bit numbers are not supported. */
  public static boolean supports(DataType elementType) {
    return kind(elementType) != UNSUPPORTED;
  }

  /** The number of the elements' kind in a cell. */
  static int kind(DataType elementType) {
    return switch (elementType) {
      case INT8 -> 1;
      case UINT8, BOOL -> 2;
      case INT16 -> 3;
      case UINT16 -> 4;
      case INT32, DATE, DECIMAL32 -> 5;
      case UINT32 -> 6;
      case INT64, UNIXTIME_MICROS, DECIMAL64 -> 7;
      case UINT64 -> 8;
      case FLOAT -> 9;
      case DOUBLE -> 10;
      case STRING, VARCHAR -> TEXT;
      case BINARY -> BINARY;
      case INT128, DECIMAL128, IS_DELETED, NESTED -> UNSUPPORTED;
    };
  }

  /** The size of the validity bits of some elements. */
  static int validityBytes(int elements) {
    return (elements + 7) >>> 3;
  }
}
