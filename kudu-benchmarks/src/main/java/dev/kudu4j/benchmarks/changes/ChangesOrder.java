package dev.kudu4j.benchmarks.changes;

/** The orders that Spark's process carries out. Each is answered with {@link #SECONDS}. */
public enum ChangesOrder {
  /** Generates {@code lineitem} and writes it as Parquet. */
  GENERATE,
  /** Creates the table in a {@link TableFormat} and fills it from the Parquet files. */
  LOAD,
  /** Writes the small tables that INSERT and MERGE read; the number of the round follows. */
  PREPARE,
  /** Runs a {@link Change}: a {@link TableFormat}, the change and the round follow. */
  RUN,
  /**
   * Reads the small table of INSERT and drops its rows; the round follows. INSERT cannot take less
   * time in any format.
   */
  READ_SOURCE,
  /**
   * Compares the tables of all formats, row by row through hashes. It is an error if they differ.
   */
  COMPARE;

  /** Name of the time that an order took, in seconds. */
  public static final String SECONDS = "SECONDS";

  /** Name of the number of rows of the table. */
  public static final String ROWS = "ROWS";
}
