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
 * later, and waits for what is in flight below T. That holds only while it leads. One that has been
 * deposed and does not know it, since it is cut off, must not answer for the time since; so it
 * first asks for a proof that it led when its clock had passed T ({@link Asker}, {@link #proved}).
 * The only member of a group needs none.
 *
 * <p>Any other replica knows only what it has applied and what a leader has promised it ({@link
 * #promised}). A reader that has to wait is parked as a future, never as a thread.
 *
 * <p>Thread-safe; the lock is held for a few field accesses, and no future is completed under it.
 */
public final class SafeTime {
  /** Asked for news when somebody waits: a leader's proof, a leader's promise or its choice. */
  @FunctionalInterface
  interface Asker {
    /** What is wanted has changed. Must not block; called under no lock. */
    void ask();
  }

  /**
   * What readers here wait for.
   *
   * @param snapshot the latest that somebody waits for, or 0
   * @param reader the last one who waits for a snapshot to be named, or 0
   */
  public record Wanted(long snapshot, long reader) {
    public boolean isSomething() {
      return snapshot > 0 || reader > 0;
    }

    /** Whether here is wanted what an answer to the question for the other would not bring. */
    public boolean isMoreThan(Wanted asked) {
      return snapshot > asked.snapshot || reader > asked.reader;
    }
  }

  /** What a leader may promise: all below the time is in the log up to the index. */
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

  /** Whether nobody else could lead. */
  @GuardedBy("this")
  private boolean alone;

  /** What the clock showed when this replica did lead for sure. */
  @GuardedBy("this")
  private long proved;

  @GuardedBy("this")
  private long appliedIndex;

  /** Of a leader, for when their indexes are applied; in the order they came. */
  @GuardedBy("this")
  private final ArrayDeque<Promise> promises = new ArrayDeque<>(PROMISES_KEPT);

  @GuardedBy("this")
  private KuduException failure;

  private final LatestSnapshotWaiters latestWaiters = new LatestSnapshotWaiters();
  private final Asker asker;

  /**
   * @param settled everything below is applied and nothing below will come
   * @param appliedIndex log index of what is applied
   * @param executor completes the readers that waited
   */
  SafeTime(HybridClock clock, long settled, long appliedIndex, Executor executor, Asker asker) {
    this.clock = clock;
    this.settled = settled;
    this.appliedIndex = appliedIndex;
    this.executor = executor;
    this.asker = asker;
  }

  /** The leader appends an entry: reserves its timestamps. Calls come in log order. */
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

  /** An entry without a timestamp, of Raft's own, has been passed. */
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
   * This replica leads, and has applied all that came before.
   *
   * @param alone whether there is no other member that could lead instead
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

  /** Whether nobody else could lead, if this replica leads: its members change. */
  void onlyVoter(boolean now) {
    List<Waiter> ready;
    synchronized (this) {
      alone = now;
      ready = takeReady();
    }
    complete(ready);
  }

  /** This replica leads no more: what is in flight may be applied, or never. */
  void follow() {
    synchronized (this) {
      leading = false;
      leadershipEpoch++;
      inFlight.clear();
    }
    askAgain();
  }

  /** When the clock showed this time, this replica did lead. */
  void proved(long time) {
    List<Waiter> ready;
    synchronized (this) {
      proved = Math.max(proved, time);
      ready = takeReady();
    }
    complete(ready);
  }

  /**
   * A leader promises that nothing below the time will come behind the index. Told to one that does
   * not lead.
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
   * Whether a leader can have promised this time: its clock is not further ahead than clocks may
   * be. The clock of this server follows a promise, so a false one would move it for good.
   */
  boolean isPlausible(long time) {
    return clock.isTrusted(time);
  }

  /** What a leader may promise to the others now. */
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

  /** Asks again when somebody waits: what was asked of somebody else has been in vain. */
  public void askAgain() {
    if (wanted().isSomething()) {
      asker.ask();
    }
  }

  /**
   * Completes with a snapshot that can be read and is behind all that was acknowledged before,
   * whoever led then, and with whichever clock. A leader names it by its own clock. Another replica
   * asks its leader: its own clock may be behind what others have been told, and so may that of one
   * that has been deposed and does not know it; what such a one named is not used.
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

  /** Whether nobody has begun or ceased to lead here since. */
  private synchronized boolean isStillEpoch(long epochBefore) {
    return leadershipEpoch == epochBefore;
  }

  /**
   * The leader has named a snapshot.
   *
   * @param asked what was wanted when it was asked
   */
  public void named(Wanted asked, long snapshot) {
    nameTo(asked.reader, snapshot);
  }

  /**
   * Completes when the snapshot can be read, and moves the clock to it; fails with TIMED_OUT after
   * the given time, with INVALID_ARGUMENT when it is further ahead than the clock may follow, and
   * with the replica's failure. Completed on another thread than the one that applies.
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

  /** Fails the readers that wait, and those who come. */
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

  /** Takes out the waiters that are served; they have moved the clock when they came. */
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
