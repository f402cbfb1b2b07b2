package dev.kudu4j.server.raft;

/**
 * Keeps the log after an index on this replica and, while this replica leads, on the other members.
 * The log is released a minute after the anchor is closed, so that a replica that was copied at the
 * index can join. A second close does nothing. Thread-safe.
 */
public interface LogAnchor extends AutoCloseable {
  @Override
  void close();
}
