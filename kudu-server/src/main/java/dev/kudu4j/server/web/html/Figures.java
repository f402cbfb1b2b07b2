package dev.kudu4j.server.web.html;

import static j2html.TagCreator.span;
import static j2html.TagCreator.time;

import j2html.tags.DomContent;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/** Numbers for people: short, with a unit, and with the exact value as a tooltip. */
public final class Figures {
  private static final String[] BYTE_UNITS = {"B", "KB", "MB", "GB", "TB", "PB"};
  private static final DateTimeFormatter SECOND =
      DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss", Locale.ROOT).withZone(ZoneOffset.UTC);

  private static final DateTimeFormatter MILLISECOND =
      DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss.SSS", Locale.ROOT).withZone(ZoneOffset.UTC);

  private Figures() {}

  /** A dash, which stands for a missing value. */
  public static DomContent none() {
    return span("–").withClass("quiet");
  }

  /** A count: {@code 1,234,567}. */
  public static DomContent count(long count) {
    return span(countText(count));
  }

  /** A count as text: {@code 1,234,567}. */
  public static String countText(long count) {
    return String.format(Locale.ROOT, "%,d", count);
  }

  /** A ratio, height or score with three significant digits. */
  public static DomContent decimal(double value) {
    if (value == 0) {
      return span("0");
    }
    String text =
        Math.abs(value) >= 1000
            ? String.format(Locale.ROOT, "%,.0f", value)
            : String.format(Locale.ROOT, "%.3g", value);
    return span(text).withTitle(Double.toString(value));
  }

  /** A percentage of a whole: {@code 37 %}; a dash if the whole is 0. */
  public static DomContent percent(long part, long whole) {
    if (whole <= 0) {
      return none();
    }
    double percent = 100.0 * part / whole;
    return span(String.format(Locale.ROOT, percent < 10 ? "%.1f %%" : "%.0f %%", percent))
        .withTitle(countText(part) + " of " + countText(whole));
  }

  /** A size: {@code 12.3 MB}. A megabyte has 1,048,576 bytes. */
  public static DomContent bytes(long bytes) {
    return span(bytesText(bytes)).withTitle(countText(bytes) + " bytes");
  }

  /** Like {@link #bytes}; a dash for 0. */
  public static DomContent bytesIfAny(long bytes) {
    return bytes == 0 ? none() : bytes(bytes);
  }

  /** A size as text: {@code 12.3 MB}. */
  public static String bytesText(long bytes) {
    double value = bytes;
    int unit = 0;
    while (Math.abs(value) >= 999.5 && unit < BYTE_UNITS.length - 1) {
      value /= 1024;
      unit++;
    }
    String number =
        unit == 0 || Math.abs(value) >= 99.95
            ? String.format(Locale.ROOT, "%.0f", value)
            : String.format(Locale.ROOT, Math.abs(value) >= 9.995 ? "%.1f" : "%.2f", value);
    return number + " " + BYTE_UNITS[unit];
  }

  /** A duration: {@code 1.23 ms}. */
  public static DomContent duration(long nanos) {
    return span(durationText(nanos)).withTitle(countText(nanos / 1_000) + " µs");
  }

  /**
   * A duration as text: {@code 640 ns}, {@code 12.3 µs}, {@code 1.23 ms}, {@code 4.56 s}, {@code 2
   * min 5 s}, {@code 3 h 12 min}, {@code 2 d 4 h}.
   */
  public static String durationText(long nanos) {
    if (nanos < 1_000) {
      return nanos + " ns";
    }
    if (nanos < 1_000_000) {
      return digits(nanos / 1e3) + " µs";
    }
    if (nanos < 1_000_000_000) {
      return digits(nanos / 1e6) + " ms";
    }
    long seconds = TimeUnit.NANOSECONDS.toSeconds(nanos);
    if (seconds < 100) {
      return digits(nanos / 1e9) + " s";
    }
    if (seconds < 3_600) {
      return seconds / 60 + " min " + seconds % 60 + " s";
    }
    return seconds < 86_400
        ? seconds / 3_600 + " h " + seconds % 3_600 / 60 + " min"
        : seconds / 86_400 + " d " + seconds % 86_400 / 3_600 + " h";
  }

  private static String digits(double value) {
    return String.format(
        Locale.ROOT, value >= 99.95 ? "%.0f" : value >= 9.995 ? "%.1f" : "%.2f", value);
  }

  /** The time since an event: {@code 3.2 s ago}. */
  public static DomContent ago(long nanos) {
    return span(durationText(Math.max(0, nanos)) + " ago")
        .withTitle(countText(nanos / 1_000) + " µs");
  }

  /** A moment, to the second: {@code 2026-11-21 18:09:30 UTC}; a dash for 0. */
  public static DomContent moment(long micros) {
    if (micros == 0) {
      return none();
    }
    return moment(micros, SECOND, " UTC");
  }

  /**
   * A moment to the millisecond, for a page that shows the time zone elsewhere: {@code 2026-11-21
   * 18:09:30.123}.
   */
  public static DomContent momentWithMillis(long micros) {
    return moment(micros, MILLISECOND, "");
  }

  private static DomContent moment(long micros, DateTimeFormatter form, String zone) {
    Instant instant = Instant.EPOCH.plus(micros, ChronoUnit.MICROS);
    return time(form.format(instant) + zone)
        .withDatetime(instant.toString())
        .withTitle(instant.toString());
  }
}
