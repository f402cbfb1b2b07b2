package dev.kudu4j.tserver.tablets;

import dev.kudu4j.tablet.TabletStatistics;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Flushes tablets in time: the one that holds most in memory first, when it holds enough, holds a
 * log that would take long to replay, or has held something for long. One flush at a time; a tablet
 * whose flush failed makes way for the others for a while. The place where the maintenance
 * scheduler will stand.
 */
public final class Flusher implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(Flusher.class);

  /**
   * When a flush is due.
   *
   * @param memoryBytes in-memory rows and changes of one tablet
   * @param totalMemoryBytes the same over all tablets: the largest goes first
   * @param ageMillis since a tablet first held something that is not on disk
   */
  public record Thresholds(long memoryBytes, long totalMemoryBytes, long ageMillis) {}

  private static final long PAUSE_AFTER_FAILURE_NANOS = TimeUnit.SECONDS.toNanos(2);

  /** Less is not worth a rowset, however short memory is. */
  private static final long LEAST_BYTES = 1 << 20;

  private final TabletRegistry tablets;
  private final Thresholds thresholds;
  private final BooleanSupplier memoryShort;
  private final LongSupplier nanoTime;
  private final Map<String, Long> dirtySinceNanos = new ConcurrentHashMap<>();
  private final Map<String, Long> failedAtNanos = new ConcurrentHashMap<>();
  private final ScheduledFuture<?> task;

  /**
   * @param memoryShort whether writes will soon be refused for want of memory, whoever holds it:
   *     the largest tablet is then flushed
   * @param executor one thread of its own: a flush takes as long as its writing
   */
  public Flusher(
      TabletRegistry tablets,
      Thresholds thresholds,
      BooleanSupplier memoryShort,
      LongSupplier nanoTime,
      ScheduledExecutorService executor) {
    this.tablets = tablets;
    this.thresholds = thresholds;
    this.memoryShort = memoryShort;
    this.nanoTime = nanoTime;
    this.task = executor.scheduleWithFixedDelay(this::flushDue, 250, 250, TimeUnit.MILLISECONDS);
  }

  private void flushDue() {
    try {
      HostedTablet due = choose();
      while (due != null) {
        flush(due);
        due = choose();
      }
    } catch (RuntimeException | Error e) { // one that escapes would end all flushing, silently
      log.error("Looking for tablets to flush failed; trying again", e);
    }
  }

  private HostedTablet choose() {
    HostedTablet largest = null;
    long largestBytes = 0;
    long total = 0;
    long now = nanoTime.getAsLong();
    for (HostedTablet hosted : tablets.all()) {
      if (!hosted.isRunning() || hosted.replica().unflushedLogBytes() == 0) {
        dirtySinceNanos.remove(hosted.tabletId());
        failedAtNanos.remove(hosted.tabletId());
        continue;
      }
      Long failedAt = failedAtNanos.get(hosted.tabletId());
      if (failedAt != null && now - failedAt < PAUSE_AFTER_FAILURE_NANOS) {
        continue;
      }
      long since = dirtySinceNanos.computeIfAbsent(hosted.tabletId(), id -> now);
      TabletStatistics statistics = hosted.statistics();
      long bytes = statistics.memRowSetBytes() + statistics.deltaMemStoreBytes();
      total += bytes;
      boolean old = now - since > TimeUnit.MILLISECONDS.toNanos(thresholds.ageMillis());
      if (old || bytes > thresholds.memoryBytes()) {
        return hosted;
      }
      if (bytes > largestBytes) {
        largest = hosted;
        largestBytes = bytes;
      }
    }
    boolean needed =
        total > thresholds.totalMemoryBytes()
            || (largestBytes >= LEAST_BYTES && memoryShort.getAsBoolean());
    return needed ? largest : null;
  }

  private void flush(HostedTablet hosted) {
    Long since = dirtySinceNanos.remove(hosted.tabletId());
    try {
      hosted.replica().flush();
      failedAtNanos.remove(hosted.tabletId());
    } catch (IOException | RuntimeException | Error e) {
      if (!hosted.isRunning()) {
        return; // deleted meanwhile
      }
      log.error("Flush of tablet {} failed; trying again later", hosted.tabletId(), e);
      failedAtNanos.put(hosted.tabletId(), nanoTime.getAsLong());
      if (since != null) {
        dirtySinceNanos.putIfAbsent(hosted.tabletId(), since);
      }
    }
  }

  @Override
  public void close() {
    task.cancel(false);
  }
}
