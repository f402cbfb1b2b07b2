package dev.kudu4j.tablet.rowset;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.ArrayDeque;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * A small pool of idle readers of one file. Idle readers pin no page. The most recently returned
 * reader is borrowed first. Thread-safe.
 */
final class ReaderPool<T> {
  private static final int MAX_IDLE = 4;

  private final Supplier<T> maker;
  private final Consumer<T> unpinPages;
  private final Consumer<T> closer;

  @GuardedBy("this")
  private final ArrayDeque<T> idle = new ArrayDeque<>(MAX_IDLE);

  /**
   * @param unpinPages called with a reader that is given back; releases the pages that the reader
   *     has pinned
   */
  ReaderPool(Supplier<T> maker, Consumer<T> unpinPages, Consumer<T> closer) {
    this.maker = maker;
    this.unpinPages = unpinPages;
    this.closer = closer;
  }

  /** A reader for exclusive use until it is given back. */
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
    unpinPages.accept(reader);
    synchronized (this) {
      if (idle.size() < MAX_IDLE) {
        idle.addFirst(reader);
        return;
      }
    }
    closer.accept(reader);
  }

  /** Closes the idle readers; no reader may be borrowed. */
  synchronized void close() {
    idle.forEach(closer);
    idle.clear();
  }
}
