package dev.kudu4j.benchmarks.ycsb;

import java.io.IOException;
import site.ycsb.DB;

/** A YCSB binding of one cluster, with what a run needs beside YCSB's calls. */
public interface Binding extends AutoCloseable {
  /** A database for a thread, whose properties are not yet set. */
  DB newDb();

  /** Returns when the master knows as many tablet servers as a table needs. */
  void awaitTabletServers(int count) throws IOException;

  void drop(String table) throws IOException;

  /** Its records, counted by reading them all. */
  long count(String table) throws IOException;

  @Override
  void close() throws IOException;
}
