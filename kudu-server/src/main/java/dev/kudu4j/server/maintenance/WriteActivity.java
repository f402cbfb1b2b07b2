package dev.kudu4j.server.maintenance;

import java.util.concurrent.TimeUnit;

/** The recent write rate of a tablet: an exponentially weighted mean. */
final class WriteActivity {
  private static final double HALVED_AFTER_NANOS = TimeUnit.SECONDS.toNanos(10);
  private static final long MIN_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  private long lastBytes;
  private long lastNanos;
  private double bytesPerSecond;

  WriteActivity(long totalBytes, long nowNanos) {
    this.lastBytes = totalBytes;
    this.lastNanos = nowNanos;
  }

  /**
   * @param totalBytes the bytes written since an arbitrary start; never decreases
   */
  void sample(long totalBytes, long nowNanos) {
    long elapsed = nowNanos - lastNanos;
    if (elapsed < MIN_NANOS) {
      return;
    }
    double rate = (totalBytes - lastBytes) * (double) TimeUnit.SECONDS.toNanos(1) / elapsed;
    double kept = Math.pow(0.5, elapsed / HALVED_AFTER_NANOS);
    bytesPerSecond = kept * bytesPerSecond + (1 - kept) * rate;
    lastBytes = totalBytes;
    lastNanos = nowNanos;
  }

  double bytesPerSecond() {
    return bytesPerSecond;
  }
}
