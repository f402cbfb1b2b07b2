package dev.kudu4j.benchmarks.ycsb;

import java.io.IOException;
import site.ycsb.DB;

/**
 * A YCSB binding of one cluster, with the operations that a run needs in addition to YCSB's own
 * calls.
 */
public interface Binding extends AutoCloseable {
  /** Creates a database for one thread; its properties are not set yet. */
  DB newDb();

  /** Waits until {@code count} tablet servers are registered with the master. */
  void awaitTabletServers(int count) throws IOException;

  void drop(String table) throws IOException;

  /** The number of records, counted by reading all of them. */
  long count(String table) throws IOException;

  @Override
  void close() throws IOException;
}
