package dev.kudu4j.server.raft;

/**
 * Keeps the log behind an index, at this replica and, as long as it leads, at the others. The log
 * is released a minute after this is closed, so a replica that was copied at the index can join. A
 * second close does nothing. Thread-safe.
 */
public interface LogAnchor extends AutoCloseable {
  @Override
  void close();
}
