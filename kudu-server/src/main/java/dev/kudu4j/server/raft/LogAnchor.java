package dev.kudu4j.server.raft;

/**
 * Keeps the log after an index, on this replica and, while it leads, on the others. The log is
 * released a minute after this is closed, so that a replica copied at the index can join. A second
 * close does nothing. Thread-safe.
 */
public interface LogAnchor extends AutoCloseable {
  @Override
  void close();
}
