package dev.kudu4j.benchmarks.workload;

/** The measured operations of a client, on one table at a time. */
@SuppressWarnings("try") // close() may be interrupted, which ends the process
public interface ClientTrial extends AutoCloseable {
  /** Creates the table for all further operations. */
  void create(String table, int replicas) throws Exception;

  void drop() throws Exception;

  /**
   * Inserts all rows of the pool with background flush, in {@code parts} threads. Later scans must
   * find the returned rows.
   */
  Loaded load(LineItemPool pool, int parts) throws Exception;

  /**
   * Scans the table and reads the result row by row; fails unless it finds the loaded rows. Returns
   * the nanoseconds.
   */
  long scan(Loaded expected, Reading reading, boolean columnar) throws Exception;

  /** Reads rows by their keys, one at a time, each with a scan. Returns the nanoseconds of each. */
  long[] lookUp(KeySample keys) throws Exception;

  /**
   * Reads rows by their keys, each with a scan, as fast as sixteen threads can. Returns the total
   * nanoseconds.
   */
  long lookUpConcurrently(KeySample keys) throws Exception;

  /**
   * Inserts rows one at a time, and waits for each acknowledgement. Returns the nanoseconds of
   * each.
   */
  long[] insertSingly(LineItemStream rows, int count) throws Exception;

  @Override
  void close() throws Exception;
}
