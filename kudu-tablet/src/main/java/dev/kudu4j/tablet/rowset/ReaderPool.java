package dev.kudu4j.tablet.rowset;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.ArrayDeque;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * A few readers of one file that wait for the next short use, without holding a page. The one given
 * back last is lent first. Thread-safe.
 */
final class ReaderPool<T> {
  private static final int MOST_IDLE = 4;

  private final Supplier<T> maker;
  private final Consumer<T> rest;
  private final Consumer<T> closer;

  @GuardedBy("this")
  private final ArrayDeque<T> idle = new ArrayDeque<>(MOST_IDLE);

  /**
   * @param rest makes a reader let go of what it holds
   */
  ReaderPool(Supplier<T> maker, Consumer<T> rest, Consumer<T> closer) {
    this.maker = maker;
    this.rest = rest;
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
    rest.accept(reader);
    synchronized (this) {
      if (idle.size() < MOST_IDLE) {
        idle.addFirst(reader);
        return;
      }
    }
    closer.accept(reader);
  }

  /** Closes the idle readers; none may be borrowed. */
  synchronized void close() {
    idle.forEach(closer);
    idle.clear();
  }
}
