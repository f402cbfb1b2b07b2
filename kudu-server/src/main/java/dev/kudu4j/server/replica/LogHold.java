package dev.kudu4j.server.replica;

/** Keeps a part of a replica's log until it is closed; a second close does nothing. */
public interface LogHold extends AutoCloseable {
  @Override
  void close();
}
