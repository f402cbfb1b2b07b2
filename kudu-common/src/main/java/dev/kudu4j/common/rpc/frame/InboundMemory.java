package dev.kudu4j.common.rpc.frame;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The heap that requests of a process may occupy, from their first byte until they are answered.
 *
 * <p>Each connection has an {@link InboundAccount}, which a {@link FrameDecoder} charges with what
 * it allocates; nothing is allocated because a client announces it. The first {@link #FREE_BYTES}
 * of each connection are free of charge, so that small requests never touch the common counter. An
 * account that finds the memory exhausted waits in line, and its connection is not read meanwhile.
 *
 * <pre>
 *   accounts above 64 KB | small accounts only | overdraft: one frame at a time
 *   0 ----------- 7/8 capacity ------------ capacity --------------------------->
 * </pre>
 *
 * <p>Three rules keep it going:
 *
 * <ul>
 *   <li>Large accounts leave the last eighth to small ones, so that short requests pass while long
 *       ones wait.
 *   <li>When nothing else can be granted, the account that has waited longest may exceed the
 *       capacity until its frame is complete. The next one may when that frame has been released.
 *       So a set of frames, none of which is complete, cannot block itself.
 *   <li>While anybody waits, an unfinished frame must make progress: the connection of one that
 *       does not is closed. It must gain a sixteenth of what it holds within the patience, and at
 *       least 64 KB, or its rest.
 * </ul>
 *
 * <p>Bytes that have been read already are charged even if that exceeds the capacity. Under
 * pressure a connection reads little at a time, so this excess is a few kilobytes a connection.
 *
 * <p>Invariant: used bytes are the sum over all accounts of what each holds beyond its free bytes;
 * never negative. Thread-safe. The lock is taken only while somebody waits.
 */
public final class InboundMemory {
  /** What one connection may hold without being charged; also the longest frame of a stranger. */
  public static final int FREE_BYTES = 4 << 10;

  static final int SMALL_BYTES = 64 << 10;
  static final int LEAST_PROGRESS_BYTES = 64 << 10;

  /** Objects that stand for a request: its header, its call, its place in queues. */
  private static final int OVERHEAD_BYTES = 512;

  /** Arrays from half of it on occupy whole regions of a small heap. */
  private static final int HEAP_REGION_BYTES = 1 << 20;

  private final long capacityBytes;
  private final long largeCapacityBytes;
  private final long patienceNanos;
  private final LongSupplier nanoTime;

  private final AtomicLong used = new AtomicLong();
  private final AtomicLong evictions = new AtomicLong();
  private final Set<InboundAccount> unfinished = ConcurrentHashMap.newKeySet();
  private final AtomicLong nextCheckNanos;

  @GuardedBy("this")
  private final ArrayDeque<InboundAccount> smallWaiters = new ArrayDeque<>();

  @GuardedBy("this")
  private final ArrayDeque<InboundAccount> largeWaiters = new ArrayDeque<>();

  /** Those between two frames, which only wait until there is room again. */
  @GuardedBy("this")
  private final ArrayDeque<InboundAccount> idleWaiters = new ArrayDeque<>();

  /** The overdrawn account, if it waits for its own frame to be released. */
  @GuardedBy("this")
  private final ArrayDeque<InboundAccount> repayingWaiters = new ArrayDeque<>(1);

  @GuardedBy("this")
  private long nextTicket;

  // Written under the lock, read without.
  private volatile int smallWaiting;
  private volatile int largeWaiting;
  private volatile int idleWaiting;
  private volatile @Nullable InboundAccount overdrawn; // until its frame is released

  /** The part of the used bytes that the overdraft has taken. */
  private final AtomicLong overdraft = new AtomicLong();

  /**
   * @param capacityBytes for all connections together
   * @param patienceMillis how long an unfinished frame may stand still while others wait
   */
  public InboundMemory(long capacityBytes, long patienceMillis) {
    this(capacityBytes, patienceMillis, System::nanoTime);
  }

  InboundMemory(long capacityBytes, long patienceMillis, LongSupplier nanoTime) {
    if (capacityBytes <= 0 || patienceMillis <= 0) {
      throw new IllegalArgumentException(
          "Capacity and patience must be positive: " + capacityBytes + ", " + patienceMillis);
    }
    this.capacityBytes = capacityBytes;
    this.largeCapacityBytes = capacityBytes - capacityBytes / 8;
    this.patienceNanos = TimeUnit.MILLISECONDS.toNanos(patienceMillis);
    this.nanoTime = nanoTime;
    this.nextCheckNanos = new AtomicLong(nanoTime.getAsLong());
  }

  /** What a frame costs the heap while it is kept. */
  static long weight(int frameBytes) {
    long bytes = (long) frameBytes + OVERHEAD_BYTES;
    return bytes < HEAP_REGION_BYTES / 2
        ? bytes
        : (bytes + HEAP_REGION_BYTES - 1) / HEAP_REGION_BYTES * HEAP_REGION_BYTES;
  }

  /** Opens the account of one connection. */
  public InboundAccount open() {
    return new InboundAccount(this);
  }

  public long capacityBytes() {
    return capacityBytes;
  }

  /** Bytes charged now. */
  public long usedBytes() {
    return used.get();
  }

  /** Connections that are not read because memory is short. */
  public int waitingConnections() {
    return smallWaiting + largeWaiting + idleWaiting;
  }

  /** Connections closed because their frame stood still while others waited. */
  public long evictions() {
    return evictions.get();
  }

  long patienceNanos() {
    return patienceNanos;
  }

  long now() {
    return nanoTime.getAsLong();
  }

  /** Whether connections should read little at a time. */
  boolean isUnderPressure() {
    return used.get() > capacityBytes / 2 || waitingConnections() > 0;
  }

  private long limitFor(boolean small) {
    return small ? capacityBytes : largeCapacityBytes;
  }

  boolean isExceeded(boolean small) {
    return used.get() - overdraft.get() > limitFor(small);
  }

  boolean isOverdrawnBy(InboundAccount account) {
    return overdrawn == account;
  }

  /** Takes bytes unless the memory is exhausted or others of the same size wait. */
  boolean tryTake(long bytes, boolean small) {
    return (small ? smallWaiting : largeWaiting) == 0 && takeWithin(bytes, limitFor(small));
  }

  private boolean takeWithin(long bytes, long limit) {
    long before;
    do {
      before = used.get();
      if (before - overdraft.get() + bytes > limit) {
        return false;
      }
    } while (!used.compareAndSet(before, before + bytes));
    return true;
  }

  /** Takes bytes that are there already; or gives back, if negative. */
  void take(long bytes) {
    used.addAndGet(bytes);
  }

  /** Takes bytes beyond the capacity. */
  void takeOverdraft(long bytes) {
    overdraft.addAndGet(bytes);
    used.addAndGet(bytes);
  }

  /** Wakes who can go on, after bytes of an account were given back. */
  void released(InboundAccount account) {
    if (waitingConnections() == 0 && overdrawn != account) {
      return;
    }
    grantWaiters();
    if (account.waitsForNothing() && dequeue(account)) {
      account.goOn();
    }
  }

  /** Puts an account in line, or grants at once what it asks. */
  void enqueue(InboundAccount account) {
    synchronized (this) {
      account.ticket = nextTicket++;
      queueFor(account).add(account);
      countWaiters();
    }
    grantWaiters(); // memory may have been freed before the count was seen
  }

  @GuardedBy("this")
  private ArrayDeque<InboundAccount> queueFor(InboundAccount account) {
    if (account.isRepaying()) {
      return repayingWaiters;
    }
    if (!account.isAmidFrame()) {
      return idleWaiters;
    }
    return account.isSmall() ? smallWaiters : largeWaiters;
  }

  /**
   * Takes an account out of the line.
   *
   * @return whether it was still in it; if not, it has been granted what it wanted
   */
  synchronized boolean dequeue(InboundAccount account) {
    boolean removed =
        smallWaiters.remove(account)
            || largeWaiters.remove(account)
            || idleWaiters.remove(account)
            || repayingWaiters.remove(account);
    countWaiters();
    return removed;
  }

  @GuardedBy("this")
  private void countWaiters() {
    smallWaiting = smallWaiters.size();
    largeWaiting = largeWaiters.size();
    idleWaiting = idleWaiters.size() + repayingWaiters.size();
  }

  private void grantWaiters() {
    List<InboundAccount> granted = new ArrayList<>();
    synchronized (this) {
      if (overdrawn != null && overdrawn.hasRepaid(used.get() <= largeCapacityBytes)) {
        overdrawn = null;
        overdraft.set(0);
        for (InboundAccount account; (account = repayingWaiters.poll()) != null; ) {
          queueFor(account).add(account);
        }
      }
      grantWithin(smallWaiters, capacityBytes, granted);
      grantWithin(largeWaiters, largeCapacityBytes, granted);
      if (overdrawn == null) {
        grantOverdraft(granted);
      }
      grantWithin(idleWaiters, largeCapacityBytes, granted);
      countWaiters();
    }
    granted.forEach(InboundAccount::goOn);
  }

  @GuardedBy("this")
  private void grantWithin(
      ArrayDeque<InboundAccount> waiters, long limit, List<InboundAccount> granted) {
    InboundAccount first = waiters.peek();
    while (first != null && first.chargeWanted(bytes -> takeWithin(bytes, limit))) {
      granted.add(waiters.poll());
      first = waiters.peek();
    }
  }

  @GuardedBy("this")
  private void grantOverdraft(List<InboundAccount> granted) {
    InboundAccount small = smallWaiters.peek();
    InboundAccount large = largeWaiters.peek();
    if (small == null && large == null) {
      return;
    }
    boolean smallFirst = large == null || (small != null && small.ticket < large.ticket);
    InboundAccount chosen = (smallFirst ? smallWaiters : largeWaiters).poll();
    overdrawn = chosen;
    chosen.beginOverdraft();
    chosen.chargeWanted(
        bytes -> {
          takeOverdraft(bytes);
          return true;
        });
    granted.add(chosen);
  }

  /** Ends an overdraft that was not used up, because its connection ended. */
  void endOverdraft(InboundAccount account) {
    if (overdrawn == account) {
      grantWaiters();
    }
  }

  void beginUnfinished(InboundAccount account) {
    unfinished.add(account);
  }

  void endUnfinished(InboundAccount account) {
    unfinished.remove(account);
  }

  /** Closes connections whose frames stand still. Called now and then by those who wait. */
  void evictStalled() {
    long now = now();
    long next = nextCheckNanos.get();
    if (now - next < 0 || !nextCheckNanos.compareAndSet(next, now + patienceNanos / 4)) {
      return; // somebody has just looked
    }
    for (Iterator<InboundAccount> each = unfinished.iterator(); each.hasNext(); ) {
      if (each.next().evictIfStalled(now)) {
        evictions.incrementAndGet();
      }
    }
  }
}
