package dev.kudu4j.tools.demo;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Locale;

/** Formats numbers for people. */
final class Texts {
  private Texts() {}

  static String count(long number) {
    return String.format(Locale.ROOT, "%,d", number);
  }

  /** The amount with two digits after the decimal point. */
  static String amount(BigDecimal value) {
    return String.format(Locale.ROOT, "%,.2f", value.setScale(2, RoundingMode.HALF_UP));
  }

  static String time(long nanos) {
    double millis = nanos / 1e6;
    if (millis >= 1000) {
      return String.format(Locale.ROOT, "%.1f s", millis / 1000);
    }
    return String.format(Locale.ROOT, millis >= 10 ? "%.0f ms" : "%.1f ms", millis);
  }

  /** A factor, without trailing zeros. */
  static String plain(double value) {
    return BigDecimal.valueOf(value).stripTrailingZeros().toPlainString();
  }

  /** Rows per second, rounded to hundreds. */
  static String rate(long rows, long nanos) {
    long perSecond = Math.round(rows * 1e9 / Math.max(1, nanos) / 100) * 100;
    return count(perSecond) + " rows/s";
  }
}
