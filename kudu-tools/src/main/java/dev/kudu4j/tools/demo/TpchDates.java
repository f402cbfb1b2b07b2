package dev.kudu4j.tools.demo;

import java.sql.Date;
import java.time.LocalDate;

/** TPC-H's dates, which the generator counts in days since 1970, as cached dates for the client. */
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
