package dev.kudu4j.benchmarks.index;

import org.HdrHistogram.Histogram;

/** Rows that are inserted into a new table, with and without indexes. */
@SuppressWarnings("try") // close() may be interrupted, which ends the process
interface InsertWork extends AutoCloseable {
  /** The name in the report, such as "16 KB". */
  String title();

  /** Creates the table. */
  void create(String table, Indexing indexing) throws Exception;

  /** Whether each client waits for the answer to a row before it sends the next one. */
  boolean isSingle();

  /** The number of rows. */
  long rows();

  /**
   * Inserts all rows, and returns when the last one is acknowledged.
   *
   * @param maxPerSecond the maximum number of inserted rows; only if {@link #isSingle}
   * @return the latencies of single inserts in ns; empty if rows are sent in the background
   */
  Histogram insert(double maxPerSecond) throws Exception;

  /** Waits until global indexes have the inserted rows. */
  void awaitIndexes() throws Exception;

  /** Drops the table. */
  void drop() throws Exception;

  @Override
  void close() throws Exception;
}
