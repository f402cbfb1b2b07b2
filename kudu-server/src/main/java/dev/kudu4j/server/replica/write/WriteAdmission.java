package dev.kudu4j.server.replica.write;

import dev.kudu4j.common.rpc.RateLimitedLog;
import dev.kudu4j.server.web.html.Figures;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.DoubleSupplier;
import java.util.function.LongSupplier;
import org.slf4j.LoggerFactory;

/**
 * Bounds the row data that all replicas of a process have queued or in flight, and rejects new
 * writes while the memory for rows is nearly full. An entry in the log must be applied; if memory
 * is short, it waits ({@link ApplyGate}) together with all later entries. Writes are therefore
 * rejected before they are logged.
 *
 * <pre>
 *   memory of rows, counting writes in flight as applied
 *   0 ---------------- soft ------------------------------ hard
 *     all admitted          rejected with growing probability   all rejected
 * </pre>
 *
 * <p>Between the limits, rejected clients back off, so the rate of writes falls to the rate at
 * which flushes free memory, and the clients do not all stop at the same time.
 */
public final class WriteAdmission {
  private final RateLimitedLog warnings;
  private final long limitBytes;
  private final LongSupplier memoryUsed;
  private final long softBytes;
  private final long hardBytes;
  private final DoubleSupplier chance;
  private final AtomicLong used = new AtomicLong();
  private final AtomicLong expected = new AtomicLong();
  private final LongAdder refused = new LongAdder();

  /** Bounds only the writes in flight. */
  public WriteAdmission(long limitBytes) {
    this(limitBytes, () -> 0, Long.MAX_VALUE, Long.MAX_VALUE, () -> 1);
  }

  /**
   * @param memoryUsed returns the used bytes of the memory for rows; cheap, called by any thread
   * @param softBytes used bytes above which some writes are rejected
   * @param hardBytes used bytes above which all writes are rejected until a flush has freed memory
   * @param chance returns random numbers from 0 to 1
   */
  public WriteAdmission(
      long limitBytes,
      LongSupplier memoryUsed,
      long softBytes,
      long hardBytes,
      DoubleSupplier chance) {
    this.warnings = RateLimitedLog.oncePerSecond(LoggerFactory.getLogger(WriteAdmission.class));
    this.limitBytes = limitBytes;
    this.memoryUsed = memoryUsed;
    this.softBytes = softBytes;
    this.hardBytes = hardBytes;
    this.chance = chance;
  }

  /** Whether the memory for rows admits a write. */
  boolean hasMemory() {
    long applied = memoryUsed.getAsLong() + expected.get();
    if (applied < softBytes) {
      return true;
    }
    boolean admitted =
        applied < hardBytes
            && chance.getAsDouble() >= (double) (applied - softBytes) / (hardBytes - softBytes);
    if (!admitted) {
      refused.increment();
      warnRefused(applied);
    }
    return admitted;
  }

  private void warnRefused(long applied) {
    warnings.warn(
        "Memory for rows is over its {} limit: {} in use or under way, soft limit {}, hard limit"
            + " {}; rejected {} writes since the start; flushes free memory",
        applied < hardBytes ? "soft" : "hard",
        Figures.bytesText(applied),
        Figures.bytesText(softBytes),
        Figures.bytesText(hardBytes),
        refused.sum());
  }

  long memoryUsedBytes() {
    return memoryUsed.getAsLong();
  }

  long memoryLimitBytes() {
    return hardBytes;
  }

  /**
   * Maximum memory that one request may occupy once applied; a larger request is never admitted.
   */
  long maxRequestMemoryBytes() {
    return hardBytes;
  }

  /**
   * Admits a write. Returns false if the bytes in flight would exceed the limit.
   *
   * @param memoryBytes memory that the write occupies once applied
   */
  boolean tryAdmit(long bytes, long memoryBytes) {
    if (used.addAndGet(bytes) > limitBytes) {
      used.addAndGet(-bytes);
      warnings.warn(
          "Writes under way have reached their limit: {} of {}; a write of {} is refused",
          Figures.bytesText(used.get()),
          Figures.bytesText(limitBytes),
          Figures.bytesText(bytes));
      return false;
    }
    expected.addAndGet(memoryBytes);
    return true;
  }

  void release(long bytes, long memoryBytes) {
    long usedNow = used.addAndGet(-bytes);
    long expectedNow = expected.addAndGet(-memoryBytes);
    assert usedNow >= 0 && expectedNow >= 0
        : "more was released than admitted: " + usedNow + ", " + expectedNow;
  }

  /** Bytes of memory that the writes in flight will occupy once applied. */
  public long expectedBytes() {
    return expected.get();
  }

  public long usedBytes() {
    return used.get();
  }

  public long limitBytes() {
    return limitBytes;
  }

  /** Writes rejected because the memory for rows was nearly full. */
  public long refusedWrites() {
    return refused.sum();
  }
}
