package dev.kudu4j.server.replica.write;

import dev.kudu4j.common.rpc.RateLimitedLog;
import dev.kudu4j.server.web.html.Figures;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.DoubleSupplier;
import java.util.function.LongSupplier;
import org.slf4j.LoggerFactory;

/**
 * Bounds the row data that all replicas of a process have waiting or under way, and stops new
 * writes while the memory that they are applied to is nearly full. An entry that is in the log must
 * be applied, and waits where it finds no memory ({@link ApplyGate}), with all behind it; so writes
 * are refused before.
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
  private final RateLimitedLog warnings;
  private final long limitBytes;
  private final LongSupplier memoryUsed;
  private final long softBytes;
  private final long hardBytes;
  private final DoubleSupplier chance;
  private final AtomicLong used = new AtomicLong();
  private final AtomicLong expected = new AtomicLong();
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
    this.warnings = RateLimitedLog.oncePerSecond(LoggerFactory.getLogger(WriteAdmission.class));
    this.limitBytes = limitBytes;
    this.memoryUsed = memoryUsed;
    this.softBytes = softBytes;
    this.hardBytes = hardBytes;
    this.chance = chance;
  }

  /** Whether a write may come in, as far as the memory for rows goes. */
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

  /** Most that one request may take once applied: for more there is no room, however empty. */
  long mostMemoryBytes() {
    return hardBytes;
  }

  /**
   * Takes a share, or returns false when there is none left.
   *
   * @param memoryBytes that the write takes once applied
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

  /** What is under way takes so much once applied. */
  public long expectedBytes() {
    return expected.get();
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
