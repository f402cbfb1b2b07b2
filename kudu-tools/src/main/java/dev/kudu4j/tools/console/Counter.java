package dev.kudu4j.tools.console;

import java.util.Locale;
import java.util.concurrent.TimeUnit;
import me.tongfei.progressbar.ConsoleProgressBarConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;

/**
 * Shows the progress of a long operation on standard error. Prints nothing unless standard error is
 * a terminal, and nothing in the first two seconds.
 */
public final class Counter implements AutoCloseable {
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(2);
  private static final int WIDTH = 100;
  private static final long UNKNOWN = -1;

  private final String name;
  private final long totalBytes;
  private final String unit;
  private final boolean watched = Terminal.watchesErrors();
  private final long start = System.nanoTime();
  private ProgressBar bar;

  private Counter(String name, long totalBytes, String unit) {
    this.name = name;
    this.totalBytes = totalBytes;
    this.unit = unit;
  }

  /** A counter for an operation of unknown size. */
  public static Counter rows(String name) {
    return new Counter(name, UNKNOWN, "rows");
  }

  /** A counter for an operation that reads {@code totalBytes}. */
  public static Counter rowsOf(String name, long totalBytes) {
    return new Counter(name, totalBytes, "rows");
  }

  /** A counter for an operation that reads files with {@code totalBytes}. */
  public static Counter filesOf(String name, long totalBytes) {
    return new Counter(name, totalBytes, "files");
  }

  /** Reports the number of rows done, for an operation of unknown size. */
  public void at(long rows) {
    at(rows, rows);
  }

  /** Reports the number of rows or files done, and of bytes. */
  public void at(long count, long bytes) {
    long elapsed = System.nanoTime() - start;
    if (!watched || (bar == null && elapsed < PATIENCE_NANOS)) {
      return;
    }
    if (bar == null) {
      bar = open();
    }
    double rate = count * (double) TimeUnit.SECONDS.toNanos(1) / elapsed;
    bar.setExtraMessage(String.format(Locale.ROOT, "%,d %s, %,.0f %s/s", count, unit, rate, unit));
    bar.stepTo(bytes);
  }

  private ProgressBar open() {
    ProgressBarBuilder builder =
        new ProgressBarBuilder()
            .setTaskName(name)
            .setInitialMax(totalBytes)
            .setStyle(ProgressBarStyle.ASCII)
            .setUpdateIntervalMillis(200)
            .setConsumer(new ConsoleProgressBarConsumer(System.err, WIDTH));
    if (totalBytes != UNKNOWN) {
      builder.setUnit(" MiB", 1 << 20);
    }
    return builder.build();
  }

  @Override
  public void close() {
    if (bar != null) {
      bar.close();
    }
  }
}
