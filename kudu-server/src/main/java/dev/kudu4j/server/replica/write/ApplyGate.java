package dev.kudu4j.server.replica.write;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.kudu4j.common.rpc.RateLimitedLog;
import dev.kudu4j.common.status.KuduException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Admits log entries to the apply step while there is memory for their rows. If memory is short, an
 * entry waits until flushes have freed memory, and a warning is logged. An entry never fails for
 * lack of memory, because an entry in the log must be applied.
 *
 * <pre>
 *   memory of rows                          limit
 *   0 ---------------------------------------|------ reserve: flushes, scans ------|
 *     an entry begins: used + expected &lt;= limit
 *     an entry that runs out of memory exceeds the limit; only one entry of the process at a time
 * </pre>
 *
 * <p>This cannot deadlock. An entry waits before it begins, when it holds no lock, so the tablet
 * can be flushed during the wait. Once it has begun, the entry holds the tablet's writer lock and
 * runs to its end. During that time it may wait only for the {@code overdraft} lock, and the entry
 * that holds this lock waits for nothing.
 *
 * <p>Flushes do not free memory that open scanners pin, and a client can keep a scanner open. An
 * entry that has waited for {@link #LONGEST_WAIT_MILLIS} therefore begins anyway, and exceeds the
 * limit if necessary: a tablet becomes slow, but never stops.
 *
 * <p>Thread-safe.
 */
public final class ApplyGate {
  private static final Logger LOG = LoggerFactory.getLogger(ApplyGate.class);
  private static final RateLimitedLog WARNINGS = RateLimitedLog.oncePerSecond(LOG);

  /**
   * Upper estimate of the memory that a byte of an entry occupies once applied, including key, row
   * header and index.
   */
  private static final int APPLIED_BYTES_PER_BYTE = 4;

  /**
   * The memory that an entry is expected to take counts as at most 1/{@value} of the limit.
   * Otherwise a large entry might never find enough memory.
   */
  private static final int MAX_EXPECTED_PART = 8;

  /**
   * Interval at which a waiting entry checks the memory again. Allocators do not report that memory
   * was freed.
   */
  private static final int LOOK_AGAIN_MILLIS = 20;

  private static final long LONGEST_WAIT_MILLIS = 10_000;

  private final LongSupplier memoryUsed;
  private final long limitBytes;
  private final long longestWaitNanos;

  @SuppressWarnings("ThreadLocalUsage") // one gate for each server of the JVM
  private final ThreadLocal<Boolean> applying = new ThreadLocal<>();

  private final ReentrantLock overdraft = new ReentrantLock();
  private final LongAdder waits = new LongAdder();
  private final LongAdder overdrafts = new LongAdder();

  @GuardedBy("this")
  private int waiting;

  /**
   * @param memoryUsed returns the used bytes of the memory for rows; cheap, called by any thread
   * @param limitBytes entries begin only while the used bytes do not exceed this limit
   */
  public ApplyGate(LongSupplier memoryUsed, long limitBytes) {
    this(memoryUsed, limitBytes, LONGEST_WAIT_MILLIS);
  }

  ApplyGate(LongSupplier memoryUsed, long limitBytes, long longestWaitMillis) {
    this.memoryUsed = memoryUsed;
    this.limitBytes = limitBytes;
    this.longestWaitNanos = TimeUnit.MILLISECONDS.toNanos(longestWaitMillis);
  }

  /** A gate that is always open. */
  public static ApplyGate open() {
    return new ApplyGate(() -> 0, Long.MAX_VALUE);
  }

  /**
   * Waits until there is memory for the entry, or until the longest wait is over. The same thread
   * must call {@link #leave} afterwards.
   *
   * @param entryBytes size of the entry in the log
   * @param ends whether the replica is stopping or has failed and applies no further entries
   * @throws KuduException SERVICE_UNAVAILABLE if the replica ends during the wait; nothing was
   *     applied
   */
  public void enter(String tabletId, long entryBytes, BooleanSupplier ends) {
    long expected = Math.min(APPLIED_BYTES_PER_BYTE * entryBytes, limitBytes / MAX_EXPECTED_PART);
    if (memoryUsed.getAsLong() > limitBytes - expected) {
      await(tabletId, expected, ends);
    }
    applying.set(Boolean.TRUE);
  }

  /** Called when the entry was applied or has failed. */
  public void leave() {
    applying.remove();
    if (overdraft.isHeldByCurrentThread()) {
      overdraft.unlock();
    }
  }

  private synchronized void await(String tabletId, long expected, BooleanSupplier ends) {
    waits.increment();
    waiting++;
    try {
      long beganNanos = System.nanoTime();
      logWaiting(tabletId, expected);
      while (memoryUsed.getAsLong() > limitBytes - expected) {
        if (ends.getAsBoolean()) {
          throw ended(tabletId);
        }
        if (System.nanoTime() - beganNanos >= longestWaitNanos) {
          WARNINGS.warn(
              "Tablet {}: a log entry is applied although the memory for rows is full;"
                  + " flushes have not freed enough in {} ms, maybe because open scanners use it",
              tabletId,
              TimeUnit.NANOSECONDS.toMillis(longestWaitNanos));
          return;
        }
        wait(LOOK_AGAIN_MILLIS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw ended(tabletId);
    } finally {
      waiting--;
    }
  }

  private static KuduException ended(String tabletId) {
    return KuduException.serviceUnavailable(
        "Tablet %s: the replica ended while a log entry waited for memory", tabletId);
  }

  private void logWaiting(String tabletId, long expected) {
    WARNINGS.warn(
        "Tablet {}: a log entry waits for {} bytes of memory; rows use {} of {} bytes,"
            + " and are being flushed",
        tabletId,
        expected,
        memoryUsed.getAsLong(),
        limitBytes);
  }

  /**
   * Called after an allocation failed. Returns true if the calling thread applies an entry, which
   * may then exceed the limit; before that, waits until no other entry exceeds it.
   */
  public boolean mayOverdraw() {
    if (applying.get() == null) {
      return false;
    }
    if (!overdraft.isHeldByCurrentThread()) {
      overdraft.lock();
      overdrafts.increment();
    }
    return true;
  }

  /** Number of entries that wait now. */
  public synchronized int waiting() {
    return waiting;
  }

  /** Number of entries that had to wait. */
  public long waits() {
    return waits.sum();
  }

  /** Number of entries that exceeded the limit. */
  public long overdrafts() {
    return overdrafts.sum();
  }
}
