package dev.kudu4j.benchmarks.selection;

/** The types of the cells of generated rows, independent of a client. */
public enum CellType {
  /** A {@link Integer}. */
  INT32,
  /** A {@link Long}. */
  INT64,
  /** A {@link Double}. */
  DOUBLE,
  /** A {@link java.math.BigDecimal} with two digits after the point. */
  DECIMAL,
  /** A {@link java.sql.Date}. */
  DATE,
  /** A {@link String}. */
  STRING
}
