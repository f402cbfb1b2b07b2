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
 *   memory of the tablet >= threshold      1 per MiB above it, at least 1    PERFORMANCE
 *   older than the threshold               age / threshold                   PERFORMANCE
 *   the boundary of an epoch has passed    10 per second, 10 to 30           PERFORMANCE
 *   reads gain                             gain per budgetBytes moved        PERFORMANCE
 *   disk freed                             disk freed / bytes moved          PERFORMANCE
 * </pre>
 *
 * <p>MEMORY and LOG end with the flush, disk space that was freed for DISK cannot be freed again,
 * and the score for age has no upper bound: none of these delays others forever. Flushes for epochs
 * come back with each epoch. If they take all the time of the maintenance threads, compactions with
 * lower scores wait, until the epoch is made longer.
 *
 * @param flushBytes the memory of a tablet at which it is flushed
 * @param flushAgeMillis the age of unflushed data at which a tablet is flushed
 * @param logTargetBytes the maximum bytes of log that a restart should have to replay for one
 *     tablet
 * @param budgetBytes the maximum bytes that one task reads; the cost of a task is measured in this
 *     unit
 */
public record MaintenancePolicy(
    long flushBytes, long flushAgeMillis, long logTargetBytes, long budgetBytes) {
  /**
   * A flush that frees less memory than this does not justify a new rowset, even if memory is
   * short.
   */
  private static final long MIN_MEMORY_BYTES = 1 << 20;

  /** A task that frees less disk space than this does not get the reason DISK. */
  private static final long MIN_DISK_BYTES = 1 << 20;

  /**
   * A task gets the reason DISK only if it moves at most this number of bytes per byte of disk
   * space freed.
   */
  private static final int MOVED_FOR_FREED = 2;

  /** A gain below this does not justify opening files. */
  private static final double MIN_GAIN = 0.01;

  /**
   * The cost of opening and syncing files, expressed in bytes moved: each task counts as moving at
   * least this number.
   */
  private static final long FIXED_IO_BYTES = 2 << 20;

  /**
   * The write rate of a tablet at which the score for the gain of reads is reduced by a quarter. At
   * much higher rates that score is halved, because the writes will soon undo the gain.
   */
  private static final double BUSY_BYTES_PER_SECOND = 8 << 20;

  private static final double PRIORITY_STEP = 1.1;

  private static final double MEGABYTE = 1 << 20;

  private static final double MILLIS_PER_SECOND = 1000;

  /**
   * The score per second of a flush for an epoch: such flushes are short, and come before most
   * compactions.
   */
  private static final double EPOCH_SCORE = 10;

  /** Seconds, after which the score of a flush for an epoch rises no more. */
  private static final double MAX_EPOCH_DELAY = 3;

  public OpPriority prioritize(OpStats stats, boolean memoryShort) {
    if (memoryShort && stats.freedMemoryBytes() >= MIN_MEMORY_BYTES) {
      return new OpPriority(Reason.MEMORY, stats.freedMemoryBytes());
    }
    if (stats.logBytes() >= logTargetBytes) {
      return new OpPriority(Reason.LOG, stats.logBytes());
    }
    if (stats.freedDiskBytes() >= MIN_DISK_BYTES
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
    double byEpoch =
        stats.epochDelayMillis() == 0
            ? 0
            : EPOCH_SCORE
                * Math.max(
                    1, Math.min(MAX_EPOCH_DELAY, stats.epochDelayMillis() / MILLIS_PER_SECOND));
    return Math.max(byEpoch, Math.max(bySize, byAge));
  }

  /**
   * The score of an op that frees disk space, but not cheaply enough for the reason DISK. This
   * score is below the score of most rowset compactions, so the space is freed when there is little
   * other work.
   */
  private static double diskScore(OpStats stats) {
    double share = stats.freedDiskBytes() / Math.max(FIXED_IO_BYTES, stats.ioBytes() + 0.0);
    return share < MIN_GAIN ? 0 : share;
  }

  private double readScore(OpStats stats) {
    if (stats.readGain() < MIN_GAIN) {
      return 0;
    }
    double density =
        stats.readGain() * budgetBytes / Math.max(FIXED_IO_BYTES, stats.ioBytes() + 0.0);
    double busy =
        stats.writeBytesPerSecond() / (stats.writeBytesPerSecond() + BUSY_BYTES_PER_SECOND);
    return density * (1 - busy / 2);
  }
}
