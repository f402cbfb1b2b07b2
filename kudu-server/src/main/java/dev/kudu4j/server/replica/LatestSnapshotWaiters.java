package dev.kudu4j.server.replica;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Readers that leave the choice of the snapshot to the tablet, and wait until its leader names one.
 *
 * <p>Such a reader must see everything that was acknowledged before it came. Only the leader's
 * clock is certainly past that. So a request to the leader that was under way when the reader came
 * does not count for this reader: each reader has a number, and a request carries the last one.
 *
 * <p>Thread-safe. Futures complete under no lock.
 */
final class LatestSnapshotWaiters {
  private record Reader(long number, CompletableFuture<Long> snapshot) {}

  @GuardedBy("this")
  private final ArrayDeque<Reader> readers = new ArrayDeque<>();

  @GuardedBy("this")
  private long last;

  /** Adds a reader, which gets a snapshot that the leader names from now on. */
  CompletableFuture<Long> add() {
    CompletableFuture<Long> snapshot = new CompletableFuture<>();
    synchronized (this) {
      readers.add(new Reader(++last, snapshot));
    }
    return snapshot;
  }

  /** Removes a reader that no longer waits. */
  synchronized void remove(CompletableFuture<Long> snapshot) {
    readers.removeIf(reader -> reader.snapshot == snapshot);
  }

  /** The number of the last waiting reader, or 0. */
  synchronized long lastWaiting() {
    return readers.isEmpty() ? 0 : readers.peekLast().number;
  }

  /** The leader named the snapshot after the reader of this number had come. */
  void named(long number, long snapshot) {
    takeUpTo(number).forEach(reader -> reader.snapshot.complete(snapshot));
  }

  void fail(Throwable reason) {
    takeUpTo(Long.MAX_VALUE).forEach(reader -> reader.snapshot.completeExceptionally(reason));
  }

  private synchronized List<Reader> takeUpTo(long number) {
    List<Reader> taken = new ArrayList<>();
    while (!readers.isEmpty() && readers.peekFirst().number <= number) {
      taken.add(readers.removeFirst());
    }
    return taken;
  }
}
