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
 * How recent a snapshot this replica can serve, so that the answer never changes.
 *
 * <p>A snapshot T may be read once every operation below T is applied and none can still arrive.
 *
 * <pre>
 *   applied         | in flight        | still open
 *   ----------------+------------------+---------------&gt;  hybrid time
 *                   first in flight    the clock
 * </pre>
 *
 * <p>A leader issues the timestamps: it moves its clock to T, so every new operation is later, and
 * waits for operations in flight below T. That holds only while it leads. A leader that was deposed
 * and does not know it, because it is cut off, must not answer for the time since. So a leader
 * first asks for a proof that it led when its clock had passed T ({@link Asker}, {@link #proved}).
 * The only member of a group needs none.
 *
 * <p>Any other replica knows only what it has applied and what a leader has promised ({@link
 * #promised}). A reader that has to wait is a future, never a thread.
 *
 * <p>Thread-safe; the lock is held for a few field accesses, and no future is completed under it.
 */
public final class SafeTime {
  /** Requests what readers wait for: a leader's proof, its promise, or its choice of a snapshot. */
  @FunctionalInterface
  interface Asker {
    /** What readers want has changed. Must not block; called under no lock. */
    void ask();
  }

  /**
   * What readers of this replica wait for.
   *
   * @param snapshot the latest snapshot that a reader waits for, or 0
   * @param reader the last reader that waits for a snapshot to be named, or 0
   */
  public record Wanted(long snapshot, long reader) {
    public boolean isSomething() {
      return snapshot > 0 || reader > 0;
    }

    /** Whether this wants something that the answer to the other request would not bring. */
    public boolean isMoreThan(Wanted asked) {
      return snapshot > asked.snapshot || reader > asked.reader;
    }
  }

  /** What a leader may promise: every operation below the time is in the log up to the index. */
  record Promise(long time, long index) {}

  private static final int PROMISES_KEPT = 8;

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

  /** Counts the times that this replica began or ceased to lead. */
  @GuardedBy("this")
  private long leadershipEpoch;

  /** Whether no other server could lead. */
  @GuardedBy("this")
  private boolean alone;

  /** What the clock showed when this replica last led for certain. */
  @GuardedBy("this")
  private long proved;

  @GuardedBy("this")
  private long appliedIndex;

  /** Promises of a leader that hold once their indexes are applied, in order of arrival. */
  @GuardedBy("this")
  private final ArrayDeque<Promise> promises = new ArrayDeque<>(PROMISES_KEPT);

  @GuardedBy("this")
  private KuduException failure;

  private final LatestSnapshotWaiters latestWaiters = new LatestSnapshotWaiters();
  private final Asker asker;

  /**
   * @param settled every operation below is applied, and none will still arrive
   * @param appliedIndex log index up to which everything is applied
   * @param executor completes readers that waited
   */
  SafeTime(HybridClock clock, long settled, long appliedIndex, Executor executor, Asker asker) {
    this.clock = clock;
    this.settled = settled;
    this.appliedIndex = appliedIndex;
    this.executor = executor;
    this.asker = asker;
  }

  /** Reserves the timestamps of an entry that the leader appends. Calls come in log order. */
  synchronized long begin(int count) {
    if (!leading) { // Raft may let an entry in just before lead() is called
      clock.resumeAfter(settled);
    }
    long first = clock.reserve(count);
    assert first > settled : first + " is not after what is applied, " + settled;
    assert inFlight.isEmpty() || first > inFlight.peekLast() : first + " is out of order";
    inFlight.add(first);
    return first;
  }

  /** An entry whose last timestamp this is has been applied; entries come in log order. */
  void applied(long index, long last) {
    List<Waiter> ready;
    synchronized (this) {
      while (!inFlight.isEmpty() && inFlight.peekFirst() <= last) {
        inFlight.removeFirst();
      }
      settled = Math.max(settled, last);
      moveTo(index);
      assert !leading || nothingSettledIsInFlight() : settled + " is ahead of what is in flight";
      ready = takeReady();
    }
    complete(ready);
  }

  /**
   * What counts as applied is never ahead of a leader's operation that is under way: a reader would
   * see that operation appear later. Where this replica does not lead, an entry that was lost with
   * the leadership may still be among those under way.
   */
  @GuardedBy("this")
  private boolean nothingSettledIsInFlight() {
    return inFlight.isEmpty() || settled <= inFlight.peekFirst();
  }

  /** An entry of Raft's own, without a timestamp, has been passed. */
  void passed(long index) {
    List<Waiter> ready;
    synchronized (this) {
      moveTo(index);
      ready = takeReady();
    }
    complete(ready);
  }

  @GuardedBy("this")
  private void moveTo(long index) {
    assert index >= appliedIndex : index + " was applied before " + appliedIndex;
    appliedIndex = index;
    while (!promises.isEmpty() && promises.peekFirst().index <= index) {
      settled = Math.max(settled, promises.removeFirst().time);
    }
  }

  /**
   * This replica leads, and has applied everything before its term.
   *
   * @param alone whether no other member could lead instead
   */
  void lead(boolean alone) {
    List<Waiter> ready;
    synchronized (this) {
      clock.resumeAfter(settled);
      leading = true;
      leadershipEpoch++;
      this.alone = alone;
      proved = 0;
      promises.clear();
      ready = takeReady();
    }
    complete(ready);
    nameTo(latestWaiters.lastWaiting(), clock.now());
    askAgain();
  }

  /** Sets whether no other server could lead, because the members change. */
  void onlyVoter(boolean now) {
    List<Waiter> ready;
    synchronized (this) {
      alone = now;
      ready = takeReady();
    }
    complete(ready);
  }

  /** This replica no longer leads: what is in flight may still be applied, or never. */
  void follow() {
    synchronized (this) {
      leading = false;
      leadershipEpoch++;
      inFlight.clear();
    }
    askAgain();
  }

  /** This replica led for certain when its clock showed this time. */
  void proved(long time) {
    List<Waiter> ready;
    synchronized (this) {
      proved = Math.max(proved, time);
      ready = takeReady();
    }
    complete(ready);
  }

  /**
   * A leader promises that no operation below the time will come behind the index. Ignored while
   * this replica leads.
   */
  void promised(Promise promise) {
    List<Waiter> ready;
    synchronized (this) {
      clock.resumeAfter(promise.time);
      if (leading) {
        return;
      }
      if (promise.index <= appliedIndex) {
        settled = Math.max(settled, promise.time);
      } else {
        if (promises.size() == PROMISES_KEPT) {
          promises.removeLast();
        }
        promises.addLast(promise);
      }
      ready = takeReady();
    }
    complete(ready);
  }

  /**
   * Whether a leader can have promised this time: it is not further ahead than clocks may be. The
   * clock of this server follows a promise, so a false one would move it for good.
   */
  boolean isPlausible(long time) {
    return clock.isTrusted(time);
  }

  /** What this leader may promise to the others now. */
  synchronized Promise promise() {
    return new Promise(nowLocked(), appliedIndex);
  }

  /** The latest snapshot that can be read now. */
  public synchronized long now() {
    return nowLocked();
  }

  @GuardedBy("this")
  private long nowLocked() {
    if (!leading) {
      return settled;
    }
    long sure = alone ? clock.now() : proved;
    return Math.max(settled, inFlight.isEmpty() ? sure : Math.min(sure, inFlight.peekFirst()));
  }

  /** What readers wait for now. */
  public Wanted wanted() {
    long reader = latestWaiters.lastWaiting();
    synchronized (this) {
      return new Wanted(waiters.stream().mapToLong(Waiter::snapshot).max().orElse(0), reader);
    }
  }

  /** Asks again if a reader waits: the last request was in vain. */
  public void askAgain() {
    if (wanted().isSomething()) {
      asker.ask();
    }
  }

  /**
   * Completes with a snapshot that can be read and is past everything that was acknowledged before,
   * whichever server led then. A leader names it by its own clock. Any other replica asks its
   * leader, because its own clock may be behind. So may be the clock of a leader that was deposed
   * and does not know it; a snapshot that such a leader named is not used.
   *
   * <p>Fails as {@link #whenReadable} does.
   *
   * @param atLeast the snapshot is not before this one
   */
  public CompletableFuture<Long> whenLatestIsReadable(long atLeast, long timeoutNanos) {
    return latestBy(System.nanoTime() + timeoutNanos, atLeast);
  }

  private CompletableFuture<Long> latestBy(long deadlineNanos, long atLeast) {
    long epochBefore;
    CompletableFuture<Long> named;
    synchronized (this) {
      epochBefore = leadershipEpoch;
      named =
          leading || failure != null
              ? CompletableFuture.completedFuture(clock.now())
              : latestWaiters.add();
    }
    if (!named.isDone()) {
      asker.ask();
    }
    return named
        .orTimeout(nanosUntil(deadlineNanos), TimeUnit.NANOSECONDS)
        .handle((snapshot, thrown) -> named(named, snapshot, thrown))
        .thenCompose(
            snapshot -> {
              long wanted = Math.max(snapshot, atLeast);
              return whenReadable(wanted, nanosUntil(deadlineNanos)).thenApply(done -> wanted);
            })
        .thenCompose(
            snapshot ->
                isStillEpoch(epochBefore)
                    ? CompletableFuture.completedFuture(snapshot)
                    : latestBy(deadlineNanos, atLeast));
  }

  private void nameTo(long reader, long snapshot) {
    if (reader > 0) {
      executor.execute(() -> latestWaiters.named(reader, snapshot));
    }
  }

  private static long nanosUntil(long deadlineNanos) {
    return Math.max(1, deadlineNanos - System.nanoTime());
  }

  private Long named(CompletableFuture<Long> future, Long snapshot, Throwable thrown) {
    if (thrown instanceof TimeoutException) {
      latestWaiters.remove(future);
      throw KuduException.timedOut("Timed out waiting for a leader to name a snapshot");
    } else if (thrown != null) {
      throw (KuduException) thrown;
    }
    return snapshot;
  }

  /** Whether this replica has neither begun nor ceased to lead since. */
  private synchronized boolean isStillEpoch(long epochBefore) {
    return leadershipEpoch == epochBefore;
  }

  /**
   * The leader has named a snapshot.
   *
   * @param asked what was wanted when the request was sent
   */
  public void named(Wanted asked, long snapshot) {
    nameTo(asked.reader, snapshot);
  }

  /**
   * Completes when the snapshot can be read, and moves the clock to it. Fails with TIMED_OUT after
   * the given time, with INVALID_ARGUMENT if the snapshot is further ahead than the clock may
   * follow, and with the replica's failure. Does not complete on the thread that applies.
   */
  public CompletableFuture<Void> whenReadable(long snapshot, long timeoutNanos) {
    Waiter waiter;
    synchronized (this) {
      if (failure != null) {
        return CompletableFuture.failedFuture(failure);
      }
      try {
        clock.update(snapshot);
      } catch (KuduException e) {
        return CompletableFuture.failedFuture(e);
      }
      if (isReadable(snapshot)) {
        return CompletableFuture.completedFuture(null);
      }
      waiter = new Waiter(snapshot, new CompletableFuture<>());
      waiters.add(waiter);
    }
    asker.ask();
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

  /** Fails all readers that wait, and all later ones. */
  void fail(KuduException reason) {
    List<Waiter> all;
    synchronized (this) {
      failure = reason;
      all = new ArrayList<>(waiters);
      waiters.clear();
    }
    if (latestWaiters.lastWaiting() > 0) {
      executor.execute(() -> latestWaiters.fail(reason));
    }
    all.forEach(waiter -> executor.execute(() -> waiter.future.completeExceptionally(reason)));
  }

  @GuardedBy("this")
  private boolean isReadable(long snapshot) {
    if (settled >= snapshot) {
      return true;
    }
    return leading
        && (alone || snapshot <= proved)
        && (inFlight.isEmpty() || inFlight.peekFirst() >= snapshot);
  }

  /** Removes the readers that can be served; they moved the clock when they came. */
  @GuardedBy("this")
  private List<Waiter> takeReady() {
    if (waiters.isEmpty()) {
      return List.of();
    }
    List<Waiter> ready = new ArrayList<>();
    while (!waiters.isEmpty() && isReadable(waiters.peek().snapshot)) {
      ready.add(waiters.remove());
    }
    return ready;
  }

  private void complete(List<Waiter> ready) {
    for (Waiter waiter : ready) {
      executor.execute(() -> waiter.future.complete(null));
    }
  }
}
