package dev.kudu4j.tools.console;

import java.util.Locale;
import java.util.concurrent.TimeUnit;
import me.tongfei.progressbar.ConsoleProgressBarConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;

/**
 * How far a long job has come, on standard error. Silent where no one watches, and for the first
 * two seconds.
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

  /** Of a job whose end is not known. */
  public static Counter rows(String name) {
    return new Counter(name, UNKNOWN, "rows");
  }

  /** Of a job that is done when so many bytes have been read. */
  public static Counter rowsOf(String name, long totalBytes) {
    return new Counter(name, totalBytes, "rows");
  }

  /** Of a job that is done when all these files have been read. */
  public static Counter filesOf(String name, long totalBytes) {
    return new Counter(name, totalBytes, "files");
  }

  /** So many rows are done, of a job whose end is not known. */
  public void at(long rows) {
    at(rows, rows);
  }

  /** So many rows or files are done, and so many bytes. */
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
