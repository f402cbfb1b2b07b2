package dev.kudu4j.server.fs;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.kudu4j.server.web.html.Figures;
import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.IntSupplier;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Monitors the free space of a server's disks, and logs when a disk is low on space, is full, or
 * has space again. While a disk stays low on space or full, that state is logged again every ten
 * minutes.
 *
 * <p>Thread-safe.
 */
public final class DiskWatch implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(DiskWatch.class);
  private static final int PERIOD_SECONDS = 5;
  private static final int FULL_PERCENT = 1;
  private static final long REPEAT_NANOS = TimeUnit.MINUTES.toNanos(10);

  private enum State {
    OK,
    LOW,
    FULL
  }

  /** The space of a directory's disk, in bytes. */
  record Space(long freeBytes, long totalBytes) {
    boolean isBelow(int percent) {
      return freeBytes < totalBytes / 100.0 * percent;
    }
  }

  /** Measures the space; fails if the directory is not accessible. */
  @FunctionalInterface
  interface Gauge {
    Space of(Path directory) throws IOException;
  }

  private record Seen(State state, long loggedNanos) {}

  private final List<Path> directories;
  private final IntSupplier lowPercent;
  private final Gauge gauge;
  private final LongSupplier nanoTime;
  private final ScheduledThreadPoolExecutor timer;

  @GuardedBy("this")
  private final Map<Path, Seen> seen = new LinkedHashMap<>();

  DiskWatch(List<Path> directories, IntSupplier lowPercent, Gauge gauge, LongSupplier nanoTime) {
    this.directories = List.copyOf(new LinkedHashSet<>(directories));
    this.lowPercent = lowPercent;
    this.gauge = gauge;
    this.nanoTime = nanoTime;
    this.timer =
        new ScheduledThreadPoolExecutor(
            1,
            task -> {
              Thread thread = new Thread(task, "disk-watch");
              thread.setDaemon(true);
              return thread;
            });
  }

  /**
   * Starts to monitor the disks until the returned object is closed.
   *
   * @param directories the directories of the server's files
   * @param lowPercent the percentage of free space below which a disk is low on space; 0 disables
   *     all log lines
   */
  public static DiskWatch start(List<Path> directories, IntSupplier lowPercent) {
    DiskWatch watch = new DiskWatch(directories, lowPercent, DiskWatch::spaceOf, System::nanoTime);
    watch.timer.scheduleWithFixedDelay(
        watch::check, PERIOD_SECONDS, PERIOD_SECONDS, TimeUnit.SECONDS);
    return watch;
  }

  private static Space spaceOf(Path directory) throws IOException {
    FileStore disk = Files.getFileStore(directory);
    return new Space(disk.getUsableSpace(), disk.getTotalSpace());
  }

  /** Checks all directories once. */
  synchronized void check() {
    for (Path directory : directories) {
      try {
        check(directory, gauge.of(directory));
      } catch (IOException | RuntimeException e) {
        LOG.debug("The free space of {} is unknown", directory, e);
      }
    }
  }

  @GuardedBy("this")
  private void check(Path directory, Space space) {
    int low = lowPercent.getAsInt();
    State now =
        low == 0 || !space.isBelow(Math.max(low, FULL_PERCENT))
            ? State.OK
            : space.isBelow(FULL_PERCENT) ? State.FULL : State.LOW;
    long nanos = nanoTime.getAsLong();
    Seen before = seen.getOrDefault(directory, new Seen(State.OK, nanos));
    boolean again = now != State.OK && nanos - before.loggedNanos >= REPEAT_NANOS;
    if (now != before.state || again) {
      log(directory, now, space);
      seen.put(directory, new Seen(now, nanos));
    }
  }

  private static void log(Path directory, State now, Space space) {
    String free = Figures.bytesText(space.freeBytes) + " of " + Figures.bytesText(space.totalBytes);
    switch (now) {
      case OK -> LOG.info("The disk of {} has room again: {} free", directory, free);
      case LOW -> LOG.warn("The disk of {} is low on space: {} free", directory, free);
      case FULL ->
          LOG.error(
              "The disk of {} is full: {} free; writes and flushes fail until there is space",
              directory,
              free);
    }
  }

  @Override
  public void close() {
    timer.shutdownNow();
  }
}
