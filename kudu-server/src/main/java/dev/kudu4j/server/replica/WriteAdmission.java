package dev.kudu4j.server.replica;

import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * Bounds the row data that all replicas of a process have waiting or under way, and stops new
 * writes while the memory that they are applied to is nearly full. An entry that is in the log must
 * be applied, and a replica that finds no memory for it fails; so writes are refused before.
 */
public final class WriteAdmission {
  /** What a byte of a write may take in memory once applied, with its key, row head and index. */
  private static final int APPLIED_BYTES_PER_BYTE = 4;

  private final long limitBytes;
  private final LongSupplier memoryUsed;
  private final long memoryLimitBytes;
  private final AtomicLong used = new AtomicLong();

  /** Bounds what is under way only. */
  public WriteAdmission(long limitBytes) {
    this(limitBytes, () -> 0, Long.MAX_VALUE);
  }

  /**
   * @param memoryUsed bytes of the memory that rows are applied to; cheap, any thread
   * @param memoryLimitBytes from which on writes are refused until a flush has made room
   */
  public WriteAdmission(long limitBytes, LongSupplier memoryUsed, long memoryLimitBytes) {
    this.limitBytes = limitBytes;
    this.memoryUsed = memoryUsed;
    this.memoryLimitBytes = memoryLimitBytes;
  }

  /** Whether what is under way, applied, still leaves room in memory. */
  boolean hasMemory() {
    return memoryUsed.getAsLong() + APPLIED_BYTES_PER_BYTE * used.get() < memoryLimitBytes;
  }

  long memoryUsedBytes() {
    return memoryUsed.getAsLong();
  }

  long memoryLimitBytes() {
    return memoryLimitBytes;
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
}
