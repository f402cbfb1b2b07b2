package dev.kudu4j.server.replica;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.common.time.HybridClock;
import dev.kudu4j.server.replica.write.QueuedStep;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Determines the most recent snapshot of which this replica can serve reads whose results never
 * change.
 *
 * <p>A snapshot T may be read once every operation below T is applied and no operation below T can
 * still arrive.
 *
 * <pre>
 *   applied         | in flight        | still open
 *   ----------------+------------------+---------------&gt;  hybrid time
 *                   first in flight    the clock
 * </pre>
 *
 * <p>A leader issues the timestamps: it moves its clock to T, so that every new operation is later,
 * and waits for operations in flight below T. This is valid only while it leads. A partitioned
 * leader that was deposed and does not know it must not serve snapshots later than its deposition.
 * A leader therefore first requests a proof that it led when its clock had passed T ({@link
 * SafeTimeRequester}, {@link #proved}). The only voter of a group needs no proof.
 *
 * <p>A prepared transaction reserves the timestamp at which it will commit ({@link
 * ReservedTimestamps}). Until it has ended, a leader issues no timestamp from this one on, and no
 * snapshot above it can be read.
 *
 * <p>The time of a derived tablet is that of its feed: a snapshot may be read once an entry says
 * that the feed is complete up to it. That is true for ever, so it needs no proof, and no entry in
 * flight matters. If the feed has no rows, its leader needs no entry either ({@link #fed}); but it
 * does need a proof, because a leader that was deposed may not know a new source.
 *
 * <p>Any other replica relies on what it has applied and what a leader has promised ({@link
 * #promised}). A waiting reader is a future and does not block a thread.
 *
 * <p>Thread-safe. The lock is held only for field accesses, and no future is completed under it.
 */
public final class SafeTime {
  /**
   * Sends requests on behalf of readers: for a leader's proof, its promise, or its choice of a
   * snapshot.
   */
  @FunctionalInterface
  interface SafeTimeRequester {
    /**
     * The result of {@link #wanted} has changed. Must not block or take locks: callers may hold the
     * lock of {@link LeaderTerm}, but never that of {@link SafeTime}.
     */
    void ask();
  }

  /**
   * The demands of the waiting readers of this replica on a leader.
   *
   * @param snapshot the latest snapshot that a reader waits for, or 0
   * @param reader number of the last reader that waits for the leader to name a snapshot, or 0
   */
  public record Wanted(long snapshot, long reader) {
    public boolean isSomething() {
      return snapshot > 0 || reader > 0;
    }

    /**
     * Whether the response to a request with the demands {@code asked} leaves some of these demands
     * open.
     */
    public boolean isMoreThan(Wanted asked) {
      return snapshot > asked.snapshot || reader > asked.reader;
    }
  }

  /** A leader's promise: every operation below the time is in the log up to the index. */
  record Promise(long time, long index) {}

  /** Returned instead of a timestamp if a prepared transaction must end first. */
  static final long MUST_WAIT = -1;

  private record Waiter(long snapshot, CompletableFuture<Void> future) {}

  private final HybridClock clock;
  private final boolean derived;
  private final Executor executor;

  @GuardedBy("this")
  private final ArrayDeque<Long> inFlight = new ArrayDeque<>();

  @GuardedBy("this")
  private final PriorityQueue<Waiter> waiters =
      new PriorityQueue<>(Comparator.comparingLong(Waiter::snapshot));

  @GuardedBy("this")
  private final ReservedTimestamps reserved = new ReservedTimestamps();

  @GuardedBy("this")
  private long settled;

  @GuardedBy("this")
  private boolean leading;

  /** Number of times that this replica began or ceased to lead. */
  @GuardedBy("this")
  private long leadershipEpoch;

  /** Whether this server is the only voter, so that no other server can lead. */
  @GuardedBy("this")
  private boolean alone;

  /** The latest time of the clock at which this replica certainly led. */
  @GuardedBy("this")
  private long proved;

  /**
   * Leader of a derived tablet: the feed has no rows below this time that are not applied. 0 if
   * unknown.
   */
  @GuardedBy("this")
  private long fed;

  @GuardedBy("this")
  private long appliedIndex;

  @GuardedBy("this")
  private final Promises promises = new Promises();

  @GuardedBy("this")
  private @Nullable KuduException failure;

  /** Runs when a reader begins to wait for the feed at the leader of a derived tablet. */
  private volatile Runnable feedReader = () -> {};

  private final LatestSnapshotWaiters latestWaiters = new LatestSnapshotWaiters();
  private final SafeTimeRequester requester;

  /**
   * @param derived whether this is the safe time of a derived tablet
   * @param settled every operation below this time is applied, and none will still arrive
   * @param appliedIndex log index up to which everything is applied
   * @param executor completes waiting readers
   */
  SafeTime(
      HybridClock clock,
      boolean derived,
      long settled,
      long appliedIndex,
      Executor executor,
      SafeTimeRequester requester) {
    this.clock = clock;
    this.derived = derived;
    this.settled = settled;
    this.appliedIndex = appliedIndex;
    this.executor = executor;
    this.requester = requester;
  }

  /**
   * Reserves the timestamps of an entry that the leader appends. Called in log order.
   *
   * @return the first one, or {@link #MUST_WAIT}
   */
  synchronized long begin(int count) {
    if (derived) {
      return settled; // it has no meaning
    }
    long first = reserve(count);
    if (first + count - 1 >= reserved.limit()) {
      return MUST_WAIT;
    }
    inFlight.add(first);
    return first;
  }

  /**
   * Reserves the timestamp of a PREPARE that the leader appends, and the one at which its
   * transaction will commit. Called in log order.
   *
   * <p>If the transaction gives up the lowest reserved timestamp while the clock is past the next
   * one, the entry itself gets the timestamp that is given up. Otherwise that transaction would
   * wait for the next one to end, which waits for it.
   *
   * @param replaced the timestamp that the transaction has reserved before, and which it gives up
   * @return the timestamp of the entry, or {@link #MUST_WAIT} if the commit timestamp has passed,
   *     is reserved or is too far ahead, or if another transaction must end first
   */
  synchronized long prepare(long commitTimestamp, long replaced) {
    if (derived) {
      return MUST_WAIT;
    }
    long timestamp = reserve(1);
    if (!clock.isTrusted(commitTimestamp) || timestamp >= commitTimestamp) {
      return MUST_WAIT;
    }
    if (timestamp >= reserved.limitWithout(replaced)) {
      if (!isAfterAllEntries(replaced)
          || commitTimestamp <= replaced
          || !reserved.move(replaced, commitTimestamp)) {
        return MUST_WAIT;
      }
      timestamp = replaced;
    } else if (!reserved.prepare(commitTimestamp)) {
      return MUST_WAIT;
    }
    inFlight.add(timestamp);
    return timestamp;
  }

  /** Whether an entry with this timestamp may follow all those that were appended. */
  @GuardedBy("this")
  private boolean isAfterAllEntries(long timestamp) {
    return settled <= timestamp && (inFlight.isEmpty() || inFlight.peekLast() < timestamp);
  }

  /**
   * Called when the leader appends the end of a prepared transaction, in log order. Later entries
   * have later timestamps. Returns false if the transaction is not prepared, if an earlier
   * timestamp is reserved, or if a later entry has been appended, which is so while the transaction
   * is prepared again.
   */
  synchronized boolean end(long commitTimestamp) {
    if (!isAfterAllEntries(commitTimestamp) || !reserved.end(commitTimestamp)) {
      return false;
    }
    clock.resumeAfter(commitTimestamp);
    inFlight.add(commitTimestamp);
    return true;
  }

  /** Whether {@link #begin} would return a timestamp; true if this replica does not lead. */
  synchronized boolean mayBegin() {
    long limit = reserved.limit();
    return !leading || limit == ReservedTimestamps.NONE || clock.now() < limit;
  }

  /**
   * Whether {@link #prepare} would return a timestamp: LOG if so, or if this replica does not lead;
   * WAIT if another transaction must end first; REFUSE if the commit timestamp has passed, or is
   * too far ahead.
   */
  synchronized QueuedStep.Turn.Answer mayPrepare(long commitTimestamp, long replaced) {
    if (!leading) {
      return QueuedStep.Turn.Answer.LOG;
    }
    long now = clock.now();
    if (derived || !clock.isTrusted(commitTimestamp) || now >= commitTimestamp) {
      return QueuedStep.Turn.Answer.REFUSE;
    }
    return now < reserved.limitWithout(replaced) || replaced == reserved.limit()
        ? QueuedStep.Turn.Answer.LOG
        : QueuedStep.Turn.Answer.WAIT;
  }

  /**
   * Called in log order when a PREPARE, COMMIT or ABORT was applied, before {@link #applied}.
   *
   * @param commitTimestamp the commit timestamp in the entry
   * @param prepared the commit timestamps of all prepared transactions, ascending
   */
  synchronized void reservedAre(long commitTimestamp, long[] prepared) {
    reserved.applied(commitTimestamp, prepared);
  }

  @GuardedBy("this")
  private long reserve(int count) {
    if (!leading) { // Raft may admit an entry just before lead() is called
      clock.resumeAfter(settled);
    }
    long first = clock.reserve(count);
    assert first > settled : first + " is not above the settled time " + settled;
    assert inFlight.isEmpty() || first > inFlight.peekLast() : first + " is out of order";
    return first;
  }

  /** Called in log order when an entry has been applied whose last timestamp is {@code last}. */
  void applied(long index, long last) {
    List<Waiter> ready;
    synchronized (this) {
      while (!inFlight.isEmpty() && inFlight.peekFirst() <= last) {
        inFlight.removeFirst();
      }
      settled = Math.max(settled, last);
      moveTo(index);
      assert !leading || nothingSettledIsInFlight() : settled + " is above a timestamp in flight";
      ready = takeReady();
    }
    complete(ready);
  }

  /**
   * On a leader, the settled time never passes an operation in flight; otherwise a reader would see
   * that operation appear later. On other replicas, an entry that was lost with the leadership may
   * still be listed as in flight.
   */
  @GuardedBy("this")
  private boolean nothingSettledIsInFlight() {
    return inFlight.isEmpty() || settled <= inFlight.peekFirst();
  }

  /** Called when the apply thread has passed an entry that Raft wrote, which has no timestamp. */
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
    settled = Math.max(settled, promises.take(index));
  }

  /**
   * Called when this replica leads and has applied everything before its term.
   *
   * @param alone whether this server is the only voter
   */
  void lead(boolean alone) {
    List<Waiter> ready;
    synchronized (this) {
      clock.resumeAfter(settled);
      leading = true;
      leadershipEpoch++;
      this.alone = alone;
      proved = 0;
      fed = 0;
      promises.clear();
      ready = takeReady();
    }
    complete(ready);
    nameTo(latestWaiters.lastWaiting(), clock.now());
    resendRequestIfWaiting();
  }

  /**
   * Called at the leader of a derived tablet when its feed has no rows below the time that are not
   * applied, by the sources that the tablet had in this leader's term.
   */
  void fed(long time) {
    List<Waiter> ready;
    synchronized (this) {
      if (!leading) {
        return;
      }
      fed = Math.max(fed, time);
      ready = takeReady();
    }
    complete(ready);
    resendRequestIfWaiting();
  }

  /** Sets whether this server is the only voter, when the members change. */
  void onlyVoter(boolean now) {
    List<Waiter> ready;
    synchronized (this) {
      alone = now;
      ready = takeReady();
    }
    complete(ready);
  }

  /**
   * Called when this replica no longer leads. Operations in flight are forgotten, because they may
   * be applied later or never.
   */
  void follow() {
    synchronized (this) {
      leading = false;
      leadershipEpoch++;
      inFlight.clear();
      reserved.follow();
    }
    resendRequestIfWaiting();
  }

  /** Called when it is proved that this replica led when its clock showed this time. */
  void proved(long time) {
    List<Waiter> ready;
    synchronized (this) {
      proved = Math.max(proved, time);
      ready = takeReady();
    }
    complete(ready);
  }

  /**
   * Receives the promise of a leader that no operation below the time will be logged after the
   * index. A leading replica only advances its clock to the time.
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
        promises.add(promise);
      }
      ready = takeReady();
    }
    complete(ready);
  }

  /**
   * Whether a leader can have promised this time, which is the case if it is within the allowed
   * difference of clocks. A promise advances this server's clock, and a false promise would advance
   * it permanently.
   */
  boolean isPlausible(long time) {
    return clock.isTrusted(time);
  }

  /** The promise that this replica, as leader, may make to the other members now. */
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
    if (derived) {
      return Math.max(settled, Math.min(sure, fed));
    }
    long open = inFlight.isEmpty() ? sure : Math.min(sure, inFlight.peekFirst());
    return Math.max(settled, Math.min(open, reserved.first()));
  }

  /** The present demands of waiting readers. */
  public Wanted wanted() {
    long reader = latestWaiters.lastWaiting();
    synchronized (this) {
      return new Wanted(waiters.stream().mapToLong(Waiter::snapshot).max().orElse(0), reader);
    }
  }

  /**
   * Sets what runs when a reader begins to wait at the leader of a derived tablet, whose {@link
   * #wanted} then says for what. It must not block.
   */
  void onFeedReader(Runnable listener) {
    feedReader = listener;
  }

  /** Whether a reader waits for something that other members know. */
  public boolean waitsForOthers() {
    return mayNeedOthers() && wanted().isSomething();
  }

  /** Readers at the leader of a derived tablet wait for the feed first, and then for a proof. */
  private synchronized boolean mayNeedOthers() {
    return !waitsForFeed() || (!waiters.isEmpty() && waiters.peek().snapshot <= fed);
  }

  @GuardedBy("this")
  private boolean waitsForFeed() {
    return derived && leading;
  }

  /** Sends a request again if a reader still waits. */
  public void resendRequestIfWaiting() {
    if (waitsForOthers()) {
      requester.ask();
    }
  }

  /**
   * Completes with a snapshot that can be read and is past every write that any leader acknowledged
   * before the call. A leader takes the snapshot from its own clock. Any other replica asks its
   * leader, because its own clock may be behind. The clock of a leader that was deposed without
   * knowing it may be behind too. If this replica's leadership begins or ends during the call, the
   * snapshot is therefore chosen again.
   *
   * <p>Fails as {@link #whenReadable} does.
   *
   * @param atLeast lower bound of the snapshot
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
      requester.ask();
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
      executor.execute(() -> latestWaiters.completeUpTo(reader, snapshot));
    }
  }

  private static long nanosUntil(long deadlineNanos) {
    return Math.max(1, deadlineNanos - System.nanoTime());
  }

  private Long named(CompletableFuture<Long> future, Long snapshot, @Nullable Throwable thrown) {
    if (thrown instanceof TimeoutException) {
      latestWaiters.remove(future);
      throw KuduException.timedOut("Timed out waiting for a leader to name a snapshot");
    } else if (thrown != null) {
      throw (KuduException) thrown;
    }
    return snapshot;
  }

  /**
   * Whether this replica has neither begun nor ceased to lead since {@code epochBefore} was read.
   */
  private synchronized boolean isStillEpoch(long epochBefore) {
    return leadershipEpoch == epochBefore;
  }

  /**
   * Called when the leader has named a snapshot. Completes the readers that the request covered.
   *
   * @param asked the demands of the readers when the request was sent
   */
  public void snapshotNamed(Wanted asked, long snapshot) {
    nameTo(asked.reader, snapshot);
  }

  /**
   * Advances the clock to the snapshot, and completes when the snapshot can be read. Fails with
   * TIMED_OUT after the given time, with INVALID_ARGUMENT if the snapshot is further ahead than the
   * clock may move, and with the replica's failure if the replica ends. Does not complete on the
   * apply thread.
   */
  public CompletableFuture<Void> whenReadable(long snapshot, long timeoutNanos) {
    Waiter waiter;
    boolean hastensFeed;
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
      hastensFeed = waitsForFeed();
    }
    if (hastensFeed) {
      feedReader.run();
    }
    if (mayNeedOthers()) {
      requester.ask();
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

  /** Fails all waiting and all later readers. */
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
    if (!leading || !(alone || snapshot <= proved)) {
      return false;
    }
    if (derived) {
      return snapshot <= fed;
    }
    return (inFlight.isEmpty() || inFlight.peekFirst() >= snapshot) && reserved.first() >= snapshot;
  }

  /** Removes and returns the readers that can be served. They moved the clock when they arrived. */
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
