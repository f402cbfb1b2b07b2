package dev.kudu4j.server.replica;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.DoubleSupplier;
import java.util.function.LongSupplier;

/**
 * Bounds the row data that all replicas of a process have waiting or under way, and stops new
 * writes while the memory that they are applied to is nearly full. An entry that is in the log must
 * be applied, and a replica that finds no memory for it fails; so writes are refused before.
 *
 * <pre>
 *   memory of rows, with what is under way counted as applied
 *   0 ---------------- soft ------------------------------ hard
 *     all are admitted      refused with growing chance         all are refused
 * </pre>
 *
 * <p>Between the limits clients that are refused back off, and so the flow falls to what flushes
 * can take away, without everybody stopping at once.
 */
public final class WriteAdmission {
  /** What a byte of a write may take in memory once applied, with its key, row head and index. */
  private static final int APPLIED_BYTES_PER_BYTE = 4;

  private final long limitBytes;
  private final LongSupplier memoryUsed;
  private final long softBytes;
  private final long hardBytes;
  private final DoubleSupplier chance;
  private final AtomicLong used = new AtomicLong();
  private final LongAdder refused = new LongAdder();

  /** Bounds what is under way only. */
  public WriteAdmission(long limitBytes) {
    this(limitBytes, () -> 0, Long.MAX_VALUE, Long.MAX_VALUE, () -> 1);
  }

  /**
   * @param memoryUsed bytes of the memory that rows are applied to; cheap, any thread
   * @param softBytes of it, from which on some writes are refused
   * @param hardBytes of it, from which on all writes are refused until a flush has made room
   * @param chance random numbers from 0 to 1
   */
  public WriteAdmission(
      long limitBytes,
      LongSupplier memoryUsed,
      long softBytes,
      long hardBytes,
      DoubleSupplier chance) {
    this.limitBytes = limitBytes;
    this.memoryUsed = memoryUsed;
    this.softBytes = softBytes;
    this.hardBytes = hardBytes;
    this.chance = chance;
  }

  /** Whether a write may come in, as far as the memory for rows goes. */
  boolean hasMemory() {
    long expected = memoryUsed.getAsLong() + APPLIED_BYTES_PER_BYTE * used.get();
    if (expected < softBytes) {
      return true;
    }
    boolean admitted =
        expected < hardBytes
            && chance.getAsDouble() >= (double) (expected - softBytes) / (hardBytes - softBytes);
    if (!admitted) {
      refused.increment();
    }
    return admitted;
  }

  long memoryUsedBytes() {
    return memoryUsed.getAsLong();
  }

  long memoryLimitBytes() {
    return hardBytes;
  }

  /** Takes a share, or returns false when there is none left. */
  boolean tryAdmit(long bytes) {
    if (used.addAndGet(bytes) > limitBytes) {
      used.addAndGet(-bytes);
      return false;
    }
    return true;
  }

  void release(long bytes) {
    used.addAndGet(-bytes);
  }

  public long usedBytes() {
    return used.get();
  }

  public long limitBytes() {
    return limitBytes;
  }

  /** Writes refused because the memory for rows was nearly full. */
  public long refusedWrites() {
    return refused.sum();
  }
}
