package dev.kudu4j.tools.demo;

import java.io.PrintStream;
import java.time.Duration;
import me.tongfei.progressbar.DelegatingProgressBarConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;

/**
 * Shows how far long work is: a bar that moves on a terminal, a line now and then elsewhere, so that
 * a file or a pipe gets no control characters.
 */
interface Progress {
  /** One piece of work. */
  interface Meter extends AutoCloseable {
    /** So much is done; cheap. */
    void at(long done);

    @Override
    void close();
  }

  /**
   * @param total as far as it is known
   * @param unit what is counted, such as {@code rows}
   */
  Meter begin(String task, long total, String unit);

  /** On a terminal of so many columns. */
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

  /** A line each so often. */
  static Progress lines(PrintStream out, Duration interval) {
    return (task, total, unit) ->
        new Meter() {
          private long next = System.nanoTime() + interval.toNanos();

          @Override
          public void at(long done) {
            if (System.nanoTime() - next > 0) {
              next += interval.toNanos();
              out.printf(
                  "   %s: %s of about %s %s%n",
                  task, Texts.count(done), Texts.count(total), unit);
            }
          }

          @Override
          public void close() {}
        };
  }
}
