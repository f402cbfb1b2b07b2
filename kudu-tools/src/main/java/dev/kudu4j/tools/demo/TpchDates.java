package dev.kudu4j.tools.demo;

import java.sql.Date;
import java.time.LocalDate;

/**
 * Converts the generator's dates, which are days since 1970, to the client's dates, and caches the
 * client's dates.
 */
final class TpchDates {
  private static final int FIRST = (int) LocalDate.of(1992, 1, 1).toEpochDay();
  private static final int LAST = (int) LocalDate.of(1998, 12, 31).toEpochDay();

  private final Date[] dates = new Date[LAST - FIRST + 1];

  Date of(int epochDay) {
    int index = epochDay - FIRST;
    if (dates[index] == null) {
      dates[index] = Date.valueOf(LocalDate.ofEpochDay(epochDay));
    }
    return dates[index];
  }
}
