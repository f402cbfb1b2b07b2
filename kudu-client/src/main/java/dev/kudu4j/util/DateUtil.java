package dev.kudu4j.util;

import java.sql.Date;
import java.time.LocalDate;

/** Converts dates to and from days since 1970-01-01. */
public final class DateUtil {
  /** 0001-01-01. */
  public static final int MIN_DATE_VALUE = -719162;

  /** 9999-12-31. */
  public static final int MAX_DATE_VALUE = 2932896;

  private DateUtil() {}

  /**
   * @throws IllegalArgumentException for a day before the year 1 or after 9999
   */
  public static void checkDateWithinRange(long days) {
    if (days < MIN_DATE_VALUE || days > MAX_DATE_VALUE) {
      throw new IllegalArgumentException(
          "Date value <"
              + days
              + "> is out of range '"
              + LocalDate.ofEpochDay(MIN_DATE_VALUE)
              + "':'"
              + LocalDate.ofEpochDay(MAX_DATE_VALUE)
              + "'");
    }
  }

  /** The day of a date's year, month and day fields, whatever the time zone. */
  public static int sqlDateToEpochDays(Date date) {
    long days = date.toLocalDate().toEpochDay();
    checkDateWithinRange(days);
    return (int) days;
  }

  public static Date epochDaysToSqlDate(int days) {
    checkDateWithinRange(days);
    return Date.valueOf(LocalDate.ofEpochDay(days));
  }

  /** The date as text, such as {@code 2020-02-29}. */
  public static String epochDaysToDateString(int days) {
    checkDateWithinRange(days);
    return LocalDate.ofEpochDay(days).toString();
  }
}
