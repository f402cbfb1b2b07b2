package dev.kudu4j.server.replica;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.common.time.HybridClock;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * How recent a snapshot this replica can serve and never answer differently again.
 *
 * <p>A snapshot T may be read once every operation below T is applied and none can still arrive.
 *
 * <pre>
 *   applied         | in flight        | still open
 *   ----------------+------------------+---------------&gt;  hybrid time
 *                   first in flight    the clock
 * </pre>
 *
 * <p>A leader hands out the timestamps: it moves the clock to T, after which everything new is
 * later, and waits for what is in flight below T. Any other replica knows only what it has applied
 * and what a leader told it ({@link #learn}). A reader that has to wait is parked as a future,
 * never as a thread.
 *
 * <p>Thread-safe; the lock is held for a few field accesses, and no future is completed under it.
 */
public final class SafeTime {
  private record Waiter(long snapshot, CompletableFuture<Void> future) {}

  private final HybridClock clock;
  private final Executor executor;

  @GuardedBy("this")
  private final ArrayDeque<Long> inFlight = new ArrayDeque<>();

  @GuardedBy("this")
  private final PriorityQueue<Waiter> waiters =
      new PriorityQueue<>(Comparator.comparingLong(Waiter::snapshot));

  @GuardedBy("this")
  private long settled;

  @GuardedBy("this")
  private boolean leading;

  @GuardedBy("this")
  private KuduException failure;

  /**
   * @param settled everything below is applied and nothing below will come
   * @param executor completes the readers that waited
   */
  SafeTime(HybridClock clock, long settled, Executor executor) {
    this.clock = clock;
    this.settled = settled;
    this.executor = executor;
  }

  /** The leader appends an entry: reserves its timestamps. Calls come in log order. */
  synchronized long begin(int count) {
    if (!leading) { // Raft may let an entry in just before lead() is called
      clock.resumeAfter(settled);
    }
    long first = clock.reserve(count);
    inFlight.add(first);
    return first;
  }

  /** An entry with these timestamps is applied; entries come in log order. */
  void applied(long last) {
    List<Waiter> ready;
    synchronized (this) {
      while (!inFlight.isEmpty() && inFlight.peekFirst() <= last) {
        inFlight.removeFirst();
      }
      settled = Math.max(settled, last);
      ready = takeReady();
    }
    complete(ready);
  }

  /** This replica leads, and has applied all that came before. */
  void lead() {
    List<Waiter> ready;
    synchronized (this) {
      clock.resumeAfter(settled);
      leading = true;
      ready = takeReady();
    }
    complete(ready);
  }

  /** This replica leads no more: what is in flight may be applied, or never. */
  synchronized void follow() {
    leading = false;
    inFlight.clear();
  }

  /** A leader promises that nothing below will come, and all below is applied here. */
  void learn(long safe) {
    List<Waiter> ready;
    synchronized (this) {
      settled = Math.max(settled, safe);
      ready = takeReady();
    }
    complete(ready);
  }

  /** The latest snapshot that can be read now. */
  public synchronized long now() {
    if (!leading) {
      return settled;
    }
    return inFlight.isEmpty() ? clock.now() : inFlight.peekFirst();
  }

  /**
   * Completes when the snapshot can be read; fails with TIMED_OUT after the given time, with
   * INVALID_ARGUMENT when it is further ahead than the clock may follow, and with the replica's
   * failure. Completed on another thread than the one that applies.
   */
  public CompletableFuture<Void> whenReadable(long snapshot, long timeoutNanos) {
    Waiter waiter;
    synchronized (this) {
      if (failure != null) {
        return CompletableFuture.failedFuture(failure);
      }
      if (leading) {
        try {
          clock.update(snapshot);
        } catch (KuduException e) {
          return CompletableFuture.failedFuture(e);
        }
      }
      if (isReadable(snapshot)) {
        return CompletableFuture.completedFuture(null);
      }
      waiter = new Waiter(snapshot, new CompletableFuture<>());
      waiters.add(waiter);
    }
    return waiter
        .future
        .orTimeout(timeoutNanos, TimeUnit.NANOSECONDS)
        .handle((done, thrown) -> finish(waiter, thrown));
  }

  private Void finish(Waiter waiter, Throwable thrown) {
    if (thrown instanceof TimeoutException) {
      synchronized (this) {
        waiters.remove(waiter);
      }
      throw KuduException.timedOut(
          "Timed out waiting for all operations below timestamp %d", waiter.snapshot);
    } else if (thrown != null) {
      throw (KuduException) thrown;
    }
    return null;
  }

  /** Fails the readers that wait, and those who come. */
  void fail(KuduException reason) {
    List<Waiter> all;
    synchronized (this) {
      failure = reason;
      all = new ArrayList<>(waiters);
      waiters.clear();
    }
    all.forEach(waiter -> executor.execute(() -> waiter.future.completeExceptionally(reason)));
  }

  @GuardedBy("this")
  private boolean isReadable(long snapshot) {
    if (settled >= snapshot) {
      return true;
    }
    return leading && (inFlight.isEmpty() || inFlight.peekFirst() >= snapshot);
  }

  /** Takes out the waiters that are served; those of a leader have moved the clock already. */
  @GuardedBy("this")
  private List<Waiter> takeReady() {
    if (waiters.isEmpty()) {
      return List.of();
    }
    List<Waiter> ready = new ArrayList<>();
    while (!waiters.isEmpty() && isReadable(waiters.peek().snapshot)) {
      Waiter waiter = waiters.remove();
      if (leading) {
        clock.resumeAfter(waiter.snapshot);
      }
      ready.add(waiter);
    }
    return ready;
  }

  private void complete(List<Waiter> ready) {
    for (Waiter waiter : ready) {
      executor.execute(() -> waiter.future.complete(null));
    }
  }
}
