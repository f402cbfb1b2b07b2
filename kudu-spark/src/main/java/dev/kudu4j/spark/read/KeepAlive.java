package dev.kudu4j.spark.read;

import dev.kudu4j.client.ArrowScanner;
import dev.kudu4j.client.KuduException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps a scanner alive on its server while Spark processes a batch, which may take longer than the
 * server's timeout for idle scanners. One thread of the JVM serves all readers.
 */
final class KeepAlive implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(KeepAlive.class);

  private final ScheduledFuture<?> beats;

  private KeepAlive(ScheduledFuture<?> beats) {
    this.beats = beats;
  }

  /** Holds the thread, which starts when the first reader is opened. */
  private static final class Timer {
    private static final ScheduledExecutorService THREAD =
        Executors.newSingleThreadScheduledExecutor(
            beat -> {
              Thread thread = new Thread(beat, "kudu-spark-keep-alive");
              thread.setDaemon(true);
              return thread;
            });
  }

  static KeepAlive of(ArrowScanner scanner, long periodMillis) {
    return new KeepAlive(
        Timer.THREAD.scheduleWithFixedDelay(
            () -> beat(scanner), periodMillis, periodMillis, TimeUnit.MILLISECONDS));
  }

  private static void beat(ArrowScanner scanner) {
    try {
      scanner.keepAlive();
    } catch (KuduException | RuntimeException e) {
      LOG.debug("A scanner could not be kept alive", e); // reading its next batch reports the error
    }
  }

  @Override
  public void close() {
    beats.cancel(false);
  }
}
