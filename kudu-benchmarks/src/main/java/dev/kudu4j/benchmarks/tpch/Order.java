package dev.kudu4j.benchmarks.tpch;

/** The orders that Spark's process carries out. Each is answered with {@link #SECONDS}. */
public enum Order {
  /** Generates the named table and writes it as Parquet. */
  WRITE_PARQUET,
  /** Makes the named Parquet table known to the queries. */
  OPEN_PARQUET,
  /** Creates the named table in Kudu and fills it from the Parquet table. */
  LOAD_KUDU,
  /** Drops the named table in Kudu. */
  DROP_KUDU,
  /**
   * Runs a query: a {@link Storage} and the number of the query follow. The answer also has {@link
   * #ROWS}. It is an error if the rows differ from those of an earlier run.
   */
  RUN;

  /** Name of the time that an order took, in seconds. */
  public static final String SECONDS = "SECONDS";

  /** Name of the number of rows of a query's answer. */
  public static final String ROWS = "ROWS";
}
