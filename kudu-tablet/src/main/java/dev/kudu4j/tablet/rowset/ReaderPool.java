package dev.kudu4j.tablet.rowset;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.ArrayDeque;
import java.util.function.Supplier;

/**
 * A few readers of one file that wait for the next short use, with the page they read last. The one
 * given back last is lent first: a thread that looks up neighbouring keys meets its page again.
 * Thread-safe.
 */
final class ReaderPool<T> {
  private static final int MOST_IDLE = 4;

  /** How an element is closed. */
  @FunctionalInterface
  interface Closer<T> {
    void close(T reader);
  }

  private final Supplier<T> maker;
  private final Closer<T> closer;

  @GuardedBy("this")
  private final ArrayDeque<T> idle = new ArrayDeque<>(MOST_IDLE);

  ReaderPool(Supplier<T> maker, Closer<T> closer) {
    this.maker = maker;
    this.closer = closer;
  }

  /** A reader for this thread alone, until it is given back. */
  T borrow() {
    synchronized (this) {
      T reader = idle.pollFirst();
      if (reader != null) {
        return reader;
      }
    }
    return maker.get();
  }

  void giveBack(T reader) {
    synchronized (this) {
      if (idle.size() < MOST_IDLE) {
        idle.addFirst(reader);
        return;
      }
    }
    closer.close(reader);
  }

  /** Closes the idle readers; none may be borrowed. */
  synchronized void close() {
    idle.forEach(closer::close);
    idle.clear();
  }
}
