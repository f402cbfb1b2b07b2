package dev.kudu4j;

import dev.kudu4j.common.schema.DataType;

/** The type of a column. */
public enum Type {
  INT8,
  INT16,
  INT32,
  INT64,
  BINARY,
  STRING,
  BOOL,
  FLOAT,
  DOUBLE,
  UNIXTIME_MICROS,
  DECIMAL,
  VARCHAR,
  DATE;

  /**
   * STUB (data engineer): the type of a stored column; the three decimal widths are one type here.
   */
  public static Type of(DataType type) {
    throw new UnsupportedOperationException();
  }
}
