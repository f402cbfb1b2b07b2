package dev.kudu4j.util;

import java.sql.Timestamp;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/** Converts timestamps to and from microseconds since the epoch. */
public final class TimestampUtil {
  private static final long MICROS_PER_SECOND = 1_000_000;
  private static final int NANOS_PER_MICRO = 1_000;
  private static final DateTimeFormatter FORMAT =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSSSSS'Z'", Locale.ROOT);

  private TimestampUtil() {}

  /** The microseconds since the epoch; nanoseconds beyond whole microseconds are cut off. */
  public static long timestampToMicros(Timestamp timestamp) {
    long seconds = Math.floorDiv(timestamp.getTime(), 1_000L);
    return seconds * MICROS_PER_SECOND + timestamp.getNanos() / NANOS_PER_MICRO;
  }

  public static Timestamp microsToTimestamp(long micros) {
    Timestamp timestamp = new Timestamp(Math.floorDiv(micros, MICROS_PER_SECOND) * 1_000L);
    timestamp.setNanos((int) Math.floorMod(micros, MICROS_PER_SECOND) * NANOS_PER_MICRO);
    return timestamp;
  }

  /** The timestamp as text, such as {@code 2020-02-29T12:00:00.000000Z}. */
  public static String timestampToString(Timestamp timestamp) {
    return timestampToString(timestampToMicros(timestamp));
  }

  /** The timestamp as text, such as {@code 2020-02-29T12:00:00.000000Z}. */
  public static String timestampToString(long micros) {
    Instant instant =
        Instant.ofEpochSecond(
            Math.floorDiv(micros, MICROS_PER_SECOND),
            Math.floorMod(micros, MICROS_PER_SECOND) * NANOS_PER_MICRO);
    return FORMAT.format(LocalDateTime.ofInstant(instant, ZoneOffset.UTC));
  }
}
