package dev.kudu4j.server.replica.write;

import dev.kudu4j.common.rpc.RateLimitedLog;
import dev.kudu4j.server.web.html.Figures;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.DoubleSupplier;
import java.util.function.LongSupplier;
import org.slf4j.LoggerFactory;

/**
 * Bounds the row data that all replicas of a process have waiting or under way, and rejects new
 * writes while the memory for rows is nearly full. An entry that is in the log must be applied; if
 * it finds no memory, it waits ({@link ApplyGate}), and all entries behind it wait too. So writes
 * are rejected before they are logged.
 *
 * <pre>
 *   memory of rows, with what is under way counted as applied
 *   0 ---------------- soft ------------------------------ hard
 *     all are admitted      refused with growing chance         all are refused
 * </pre>
 *
 * <p>Between the limits, clients that are rejected back off, so the rate of writes falls to what
 * flushes can free, and the clients do not all stop at once.
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

  /** Bounds only what is under way. */
  public WriteAdmission(long limitBytes) {
    this(limitBytes, () -> 0, Long.MAX_VALUE, Long.MAX_VALUE, () -> 1);
  }

  /**
   * @param memoryUsed bytes of the memory that rows are applied to; cheap, any thread
   * @param softBytes above which some writes are rejected
   * @param hardBytes above which all writes are rejected until a flush has freed memory
   * @param chance random numbers from 0 to 1
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
            + " {}; refused {} writes since the start, flushes make room",
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

  /** The most memory that one request may take once applied: more never fits. */
  long mostMemoryBytes() {
    return hardBytes;
  }

  /**
   * Admits a write; false if the limit is reached.
   *
   * @param memoryBytes which the write takes once applied
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

  /** Bytes of memory that the writes under way take once applied. */
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
