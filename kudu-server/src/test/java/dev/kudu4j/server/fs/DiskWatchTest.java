package dev.kudu4j.server.fs;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import dev.kudu4j.common.LogCapture;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class DiskWatchTest {
  private static final long MB = 1 << 20;

  private final AtomicLong nanos = new AtomicLong();
  private volatile long freeBytes = 1000 * MB;
  private int lowPercent = 10;
  private final DiskWatch watch =
      new DiskWatch(
          List.of(Path.of("/data"), Path.of("/data")),
          () -> lowPercent,
          directory -> new DiskWatch.Space(freeBytes, 1000 * MB),
          nanos::get);

  private void check(long free) {
    freeBytes = free;
    nanos.addAndGet(TimeUnit.SECONDS.toNanos(5));
    watch.check();
  }

  @Test
  void changesAreLoggedOnceAndLastingShortagesEveryTenMinutes() {
    try (watch;
        LogCapture log = LogCapture.of(DiskWatch.class)) {
      check(500 * MB);
      assertThat(log.lines()).isEmpty();
      check(99 * MB);
      check(98 * MB);
      assertThat(log.lines(Level.WARN))
          .containsExactly("The disk of /data is low on space: 99.0 MB of 0.98 GB free");
      check(9 * MB);
      check(0);
      assertThat(log.lines(Level.ERROR))
          .containsExactly(
              "The disk of /data is full: 9.00 MB of 0.98 GB free; writes and flushes fail until"
                  + " there is space");
      nanos.addAndGet(TimeUnit.MINUTES.toNanos(10));
      check(0);
      assertThat(log.lines(Level.ERROR)).hasSize(2);
      check(300 * MB);
      assertThat(log.lines(Level.INFO))
          .containsExactly("The disk of /data has room again: 300 MB of 0.98 GB free");
    }
  }

  @Test
  void zeroPercentSwitchesItOff() {
    lowPercent = 0;
    try (watch;
        LogCapture log = LogCapture.of(DiskWatch.class)) {
      check(0);
      assertThat(log.lines()).isEmpty();
    }
  }
}
