package dev.kudu4j.itest.hostile;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** Connections that an attack holds open until it is closed. Thread-safe. */
final class Crowd implements AutoCloseable {
  private final Queue<RawConnection> open = new ConcurrentLinkedQueue<>();
  private volatile boolean closed;

  /** Adds a connection, which is closed at the end. */
  RawConnection add(RawConnection connection) {
    open.add(connection);
    if (closed) {
      connection.close();
    }
    return connection;
  }

  @Override
  public void close() {
    closed = true;
    open.forEach(RawConnection::close);
  }
}
