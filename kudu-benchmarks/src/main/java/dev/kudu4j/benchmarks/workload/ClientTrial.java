package dev.kudu4j.benchmarks.workload;

/** What a client is measured by. One table at a time. */
@SuppressWarnings("try") // an interrupt ends the process
public interface ClientTrial extends AutoCloseable {
  /** Makes the table that is used from here on. */
  void create(String table, int replicas) throws Exception;

  void drop() throws Exception;

  /**
   * Inserts all rows of the pool, each part from a thread, with background flush; what was loaded
   * is what scans expect.
   */
  Loaded load(LineItemPool pool, int parts) throws Exception;

  /** Scans the table by rows; fails unless it finds what was loaded. Returns nanoseconds. */
  long scan(Loaded expected, Reading reading, boolean columnar) throws Exception;

  /** Reads rows by their keys, one after the other, each by a scan. Nanoseconds of each. */
  long[] lookUp(KeySample keys) throws Exception;

  /**
   * Reads rows by their keys, each by a scan, as fast as sixteen threads can. Nanoseconds of all.
   */
  long lookUpAtOnce(KeySample keys) throws Exception;

  /** Inserts rows, one after the other, each acknowledged. Nanoseconds of each. */
  long[] insertSingly(LineItemStream rows, int count) throws Exception;

  @Override
  void close() throws Exception;
}
