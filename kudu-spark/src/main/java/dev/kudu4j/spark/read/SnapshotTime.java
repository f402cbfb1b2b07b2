package dev.kudu4j.spark.read;

import dev.kudu4j.util.HybridTimeUtil;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.TimeUnit;

/**
 * Converts the time of a query's time travel to the servers' hybrid time. A time in the future is
 * rejected during planning, before servers reject it tablet by tablet.
 *
 * <p>A time is compared with the driver's clock, with a tolerance for servers whose clocks are
 * ahead.
 */
public final class SnapshotTime {
  /** Maximum difference of the clocks in a cluster: {@code --max_clock_sync_error_usec}. */
  private static final long CLOCK_ERROR_MICROS = TimeUnit.SECONDS.toMicros(10);

  private static final int LOGICAL_BITS = 12;

  private SnapshotTime() {}

  /**
   * The hybrid time of a wall-clock time.
   *
   * @param table name of the table, for the message
   * @param micros microseconds since the epoch
   */
  public static long ofMicros(String table, long micros) {
    if (micros < 0) {
      throw new IllegalArgumentException(
          "Table " + table + " cannot be read as of a time before 1970");
    }
    checkPast(table, micros);
    return HybridTimeUtil.physicalAndLogicalToHTTimestamp(micros, 0);
  }

  /**
   * The hybrid time of a version.
   *
   * @param table name of the table, for the message
   */
  public static long ofVersion(String table, String version) {
    try {
      long timestamp = Long.parseLong(version.strip());
      if (timestamp > 0) {
        checkPast(table, timestamp >>> LOGICAL_BITS);
        return timestamp;
      }
    } catch (NumberFormatException e) {
      // the exception is thrown below
    }
    throw new IllegalArgumentException(
        "Table "
            + table
            + " has no version '"
            + version
            + "': versions are hybrid timestamps, microseconds since 1970 times 4096; for a"
            + " wall-clock time use TIMESTAMP AS OF");
  }

  private static void checkPast(String table, long micros) {
    Instant now = Instant.now();
    if (micros > ChronoUnit.MICROS.between(Instant.EPOCH, now) + CLOCK_ERROR_MICROS) {
      throw new IllegalArgumentException(
          "Table "
              + table
              + " cannot be read as of "
              + Instant.EPOCH.plus(micros, ChronoUnit.MICROS)
              + ", which is in the future according to the driver's clock: it is "
              + now.truncatedTo(ChronoUnit.SECONDS));
    }
  }
}
