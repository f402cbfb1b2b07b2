package dev.kudu4j.server.maintenance;

import dev.kudu4j.server.maintenance.OpPriority.Reason;
import dev.kudu4j.tablet.maintenance.MaintenanceTask.Kind;

/**
 * Computes the priority of an op: a pure function of its stats and of the server's memory.
 *
 * <pre>
 *   memory is short                        memory freed                      MEMORY
 *   log to replay >= the target            log released                      LOG
 *   disk freed >= half of bytes moved      disk freed                        DISK
 *   memory of the tablet >= threshold      1 a megabyte above, at least 1    PERFORMANCE
 *   older than the threshold               age in thresholds                 PERFORMANCE
 *   reads gain                             gain for each megabyte moved      PERFORMANCE
 *   disk freed                             share of bytes moved              PERFORMANCE
 * </pre>
 *
 * <p>No rule starves another permanently: MEMORY and LOG end with the flush; freed disk space
 * cannot be freed again; and the score of age has no upper bound.
 *
 * @param flushBytes the memory of a tablet at which it is flushed
 * @param flushAgeMillis the age of unflushed data at which a tablet is flushed
 * @param logTargetBytes the maximum log of a tablet that a restart should have to replay
 * @param budgetBytes the maximum bytes that one task reads; the unit for the cost of a task
 */
public record MaintenancePolicy(
    long flushBytes, long flushAgeMillis, long logTargetBytes, long budgetBytes) {
  /** Below this, memory does not justify a rowset even if memory is short. */
  private static final long LEAST_MEMORY_BYTES = 1 << 20;

  /** Below this, freed disk space does not justify a separate task. */
  private static final long LEAST_DISK_BYTES = 1 << 20;

  /** The maximum bytes moved per byte of disk freed for the reason DISK. */
  private static final int MOVED_FOR_FREED = 2;

  /** Below this, the gain does not justify opening files. */
  private static final double LEAST_GAIN = 0.01;

  /** The cost of opening and syncing files, in bytes moved. */
  private static final long FIXED_IO_BYTES = 2 << 20;

  /**
   * The write rate at which the score is reduced by a quarter; at high rates it is halved, because
   * the writes will soon undo the gain.
   */
  private static final double BUSY_BYTES_PER_SECOND = 8 << 20;

  private static final double PRIORITY_STEP = 1.1;

  private static final double MEGABYTE = 1 << 20;

  public OpPriority judge(OpStats stats, boolean memoryShort) {
    if (memoryShort && stats.freedMemoryBytes() >= LEAST_MEMORY_BYTES) {
      return new OpPriority(Reason.MEMORY, stats.freedMemoryBytes());
    }
    if (stats.logBytes() >= logTargetBytes) {
      return new OpPriority(Reason.LOG, stats.logBytes());
    }
    if (stats.freedDiskBytes() >= LEAST_DISK_BYTES
        && stats.freedDiskBytes() * MOVED_FOR_FREED >= stats.ioBytes()) {
      return new OpPriority(Reason.DISK, stats.freedDiskBytes());
    }
    double score =
        stats.kind() == Kind.FLUSH
            ? flushScore(stats)
            : Math.max(readScore(stats), diskScore(stats));
    return score <= 0
        ? OpPriority.NOT_DUE
        : new OpPriority(Reason.PERFORMANCE, score * Math.pow(PRIORITY_STEP, stats.priority()));
  }

  private double flushScore(OpStats stats) {
    double bySize =
        stats.freedMemoryBytes() < flushBytes
            ? 0
            : Math.max(1, (stats.freedMemoryBytes() - flushBytes) / MEGABYTE);
    double byAge =
        stats.logBytes() == 0 || stats.ageMillis() < flushAgeMillis
            ? 0
            : (double) stats.ageMillis() / flushAgeMillis;
    return Math.max(bySize, byAge);
  }

  /**
   * The score of disk space that is not cheap to free. It is below the score of most merges, so the
   * space is freed when there is little other work.
   */
  private static double diskScore(OpStats stats) {
    double share = stats.freedDiskBytes() / Math.max(FIXED_IO_BYTES, stats.ioBytes() + 0.0);
    return share < LEAST_GAIN ? 0 : share;
  }

  private double readScore(OpStats stats) {
    if (stats.readGain() < LEAST_GAIN) {
      return 0;
    }
    double density =
        stats.readGain() * budgetBytes / Math.max(FIXED_IO_BYTES, stats.ioBytes() + 0.0);
    double busy =
        stats.writeBytesPerSecond() / (stats.writeBytesPerSecond() + BUSY_BYTES_PER_SECOND);
    return density * (1 - busy / 2);
  }
}
