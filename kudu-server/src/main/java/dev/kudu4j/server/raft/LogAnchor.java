package dev.kudu4j.server.raft;

/**
 * Keeps the log behind an index, at this replica and, as long as it leads, at the others. Closing
 * lets go a minute later, so that whoever has copied up to the index can join; a second close does
 * nothing. Thread-safe.
 */
public interface LogAnchor extends AutoCloseable {
  @Override
  void close();
}
