package dev.kudu4j.tools.demo;

import java.io.PrintStream;
import java.time.Duration;
import me.tongfei.progressbar.DelegatingProgressBarConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;

/**
 * Shows the progress of long operations. On a terminal, this is a progress bar; in files and pipes,
 * occasional lines without control characters.
 */
interface Progress {
  /** The progress of one operation. */
  interface Meter extends AutoCloseable {
    /** Reports the amount done. It is fast enough to be called for every row. */
    void at(long done);

    @Override
    void close();
  }

  /**
   * @param total the estimated total
   * @param unit the unit of the amount, such as {@code rows}
   */
  Meter begin(String task, long total, String unit);

  /** Progress bars on a terminal with this number of columns. */
  static Progress bars(PrintStream out, int columns) {
    return (task, total, unit) -> {
      ProgressBar bar =
          new ProgressBarBuilder()
              .setTaskName("   " + task)
              .setInitialMax(total)
              .setUnit(" " + unit, 1)
              .setStyle(ProgressBarStyle.ASCII)
              .setUpdateIntervalMillis(200)
              .hideEta()
              .setConsumer(
                  new DelegatingProgressBarConsumer(
                      line -> {
                        out.print("\r" + line);
                        out.flush();
                      },
                      columns - 1))
              .build();
      return new Meter() {
        @Override
        public void at(long done) {
          bar.stepTo(done);
        }

        @Override
        public void close() {
          bar.close();
          out.print("\r" + " ".repeat(columns - 1) + "\r");
          out.flush();
        }
      };
    };
  }

  /** Prints at most one line per interval. */
  static Progress lines(PrintStream out, Duration interval) {
    return (task, total, unit) ->
        new Meter() {
          private long next = System.nanoTime() + interval.toNanos();

          @Override
          public void at(long done) {
            if (System.nanoTime() - next > 0) {
              next += interval.toNanos();
              out.printf(
                  "   %s: %s of about %s %s%n", task, Texts.count(done), Texts.count(total), unit);
            }
          }

          @Override
          public void close() {}
        };
  }
}
