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
 * The heap memory for the requests of a process, from their first byte until they are answered.
 *
 * <p>Each connection has an {@link InboundAccount}, which a {@link FrameDecoder} charges for its
 * allocations. An announced length alone never allocates memory. The first {@link #FREE_BYTES} of
 * each connection are not charged, so small requests never touch the shared counter. If the memory
 * is used up, an account is queued, and its connection is not read until memory is granted.
 *
 * <pre>
 *   accounts above 64 KB | small accounts only | overdraft: one frame at a time
 *   0 ----------- 7/8 capacity ------------ capacity --------------------------->
 * </pre>
 *
 * <p>Three rules guarantee progress:
 *
 * <ul>
 *   <li>Large accounts leave the last eighth to small ones, so short requests proceed while long
 *       ones wait.
 *   <li>If nothing else can be granted, the account that has waited longest may exceed the capacity
 *       until its frame is complete. The next account may do so after that frame is released. So a
 *       set of incomplete frames cannot block itself.
 *   <li>While any account waits, an unfinished frame must make progress, or its connection is
 *       closed: within {@code patienceMillis} it must receive a sixteenth of the bytes it holds,
 *       but at least 64 KB, or all missing bytes if these are fewer.
 * </ul>
 *
 * <p>Bytes that were already read are charged even if that exceeds the capacity. Under memory
 * pressure a connection reads small amounts, which limits the excess to a few kilobytes per
 * connection.
 *
 * <p>Invariant: the used bytes are the sum, over all accounts, of the bytes held beyond the free
 * bytes; never negative. Thread-safe. The lock is taken only while an account waits.
 */
public final class InboundMemory {
  /**
   * Bytes that one connection may hold without being charged; also the maximum frame before
   * negotiation is complete.
   */
  public static final int FREE_BYTES = 4 << 10;

  static final int SMALL_BYTES = 64 << 10;
  static final int MIN_PROGRESS_BYTES = 64 << 10;

  /** Memory of the objects of a request: its header, its call, its entries in queues. */
  private static final int OVERHEAD_BYTES = 512;

  /** Arrays of at least half this size occupy whole regions of a small heap. */
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

  /** Accounts between two frames, which only wait until memory is available again. */
  @GuardedBy("this")
  private final ArrayDeque<InboundAccount> idleWaiters = new ArrayDeque<>();

  /** The overdrawn account, if it waits for the release of its own frame. */
  @GuardedBy("this")
  private final ArrayDeque<InboundAccount> repayingWaiters = new ArrayDeque<>(1);

  @GuardedBy("this")
  private long nextTicket;

  // Written under the lock, read without it.
  private volatile int smallWaiting;
  private volatile int largeWaiting;
  private volatile int idleWaiting;
  private volatile @Nullable InboundAccount overdrawn; // may exceed the capacity

  /** The part of the used bytes that the overdraft holds. */
  private final AtomicLong overdraft = new AtomicLong();

  /**
   * @param capacityBytes total for all connections
   * @param patienceMillis how long an unfinished frame may make no progress while other connections
   *     wait
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

  /** The heap memory that a retained frame needs. */
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

  /** The number of connections that are not read because memory is short. */
  public int waitingConnections() {
    return smallWaiting + largeWaiting + idleWaiting;
  }

  /** The number of connections closed because their frame made no progress while others waited. */
  public long evictions() {
    return evictions.get();
  }

  long patienceNanos() {
    return patienceNanos;
  }

  long now() {
    return nanoTime.getAsLong();
  }

  /** Whether connections should read small amounts. */
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

  /** Reserves memory unless it is used up or other accounts of the same size class wait. */
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

  /** Reserves memory for data that already exists; releases memory if {@code bytes} is negative. */
  void take(long bytes) {
    used.addAndGet(bytes);
  }

  /** Reserves memory beyond the capacity. */
  void takeOverdraft(long bytes) {
    overdraft.addAndGet(bytes);
    used.addAndGet(bytes);
  }

  /** Grants memory to waiting accounts after an account released some. */
  void released(InboundAccount account) {
    if (waitingConnections() == 0 && overdrawn != account) {
      return;
    }
    grantWaiters();
    if (account.needsNoWait() && dequeue(account)) {
      account.notifyGranted();
    }
  }

  /** Queues an account, or grants its request immediately. */
  void enqueue(InboundAccount account) {
    synchronized (this) {
      account.ticket = nextTicket++;
      queueFor(account).add(account);
      countWaiters();
    }
    grantWaiters(); // memory may have been released before the count was visible
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
   * Removes an account from the queue.
   *
   * @return whether it was still queued; if not, its request was granted
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
    granted.forEach(InboundAccount::notifyGranted);
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

  /**
   * Ends the overdraft of an account whose connection is closed, unless its frame is still held.
   */
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

  /** Closes connections whose frames make no progress. Waiting connections call it periodically. */
  void evictStalled() {
    long now = now();
    long next = nextCheckNanos.get();
    if (now - next < 0 || !nextCheckNanos.compareAndSet(next, now + patienceNanos / 4)) {
      return; // another thread has just checked
    }
    for (Iterator<InboundAccount> each = unfinished.iterator(); each.hasNext(); ) {
      if (each.next().evictIfStalled(now)) {
        evictions.incrementAndGet();
      }
    }
  }
}
