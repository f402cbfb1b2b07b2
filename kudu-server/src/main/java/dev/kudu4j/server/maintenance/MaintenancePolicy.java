package dev.kudu4j.server.maintenance;

import dev.kudu4j.server.maintenance.OpPriority.Reason;
import dev.kudu4j.tablet.maintenance.MaintenanceTask.Kind;

/**
 * How urgent a piece of work is: a pure function of what it is worth and of the server's memory.
 *
 * <pre>
 *   memory is short                        what frees most memory            MEMORY
 *   log to replay >= the target            what releases most log            LOG
 *   disk freed >= half of what it moves    what frees most disk              DISK
 *   memory of the tablet >= threshold      1 a megabyte above, at least 1    PERFORMANCE
 *   older than the threshold               age in thresholds                 PERFORMANCE
 *   reads gain                             gain for each megabyte moved      PERFORMANCE
 *   disk freed                             share of what is moved            PERFORMANCE
 * </pre>
 *
 * <p>No rule starves another for ever: memory and log end with the flush; disk that was freed is
 * not there to be freed again; and the score of age has no upper bound.
 *
 * @param flushBytes memory of one tablet from which on it is flushed
 * @param flushAgeMillis how long a tablet may hold something that is not on disk
 * @param logTargetBytes log that a restart may have to replay for one tablet
 * @param budgetBytes most that one task reads; the measure for how dear a task is
 */
public record MaintenancePolicy(
    long flushBytes, long flushAgeMillis, long logTargetBytes, long budgetBytes) {
  /** Less is not worth a rowset, however short memory is. */
  private static final long LEAST_MEMORY_BYTES = 1 << 20;

  /** Less disk space is not worth a task of its own. */
  private static final long LEAST_DISK_BYTES = 1 << 20;

  /** What a task may move for each byte of disk that it frees, to be done for the disk's sake. */
  private static final int MOVED_FOR_FREED = 2;

  /** Gain below it is not worth the opening of files. */
  private static final double LEAST_GAIN = 0.01;

  /** Opening and syncing files costs about as much as moving so much. */
  private static final long FIXED_IO_BYTES = 2 << 20;

  /** Writers that are so busy halve the score of what they will soon make undone. */
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
   * Disk space that is not cheap to free is freed when there is little other work: the score is
   * below that of most merges.
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
