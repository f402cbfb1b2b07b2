package dev.kudu4j.server.replica;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Readers that let the tablet choose the snapshot, and wait until the tablet's leader names a
 * snapshot.
 *
 * <p>Such a reader must see everything that was acknowledged before it arrived. Only the leader's
 * clock is certain to be past all acknowledged writes. The response to a request that was sent to
 * the leader before the reader arrived must therefore not serve this reader. So readers are
 * numbered, and a request carries the number of the last reader that it may serve.
 *
 * <p>Thread-safe. Futures are completed without holding a lock.
 */
final class LatestSnapshotWaiters {
  private record Reader(long number, CompletableFuture<Long> snapshot) {}

  @GuardedBy("this")
  private final ArrayDeque<Reader> readers = new ArrayDeque<>();

  @GuardedBy("this")
  private long last;

  /** Adds a reader, which receives a snapshot that the leader names after this call. */
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

  /**
   * Completes the readers up to this number: the leader named the snapshot after they had arrived.
   */
  void completeUpTo(long number, long snapshot) {
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
