package dev.kudu4j.tools.demo;

import io.trino.tpch.GenerateUtils;
import java.sql.Date;
import java.time.LocalDate;

/** TPC-H's days as the client's dates. There are few, so each is made once. */
final class TpchDates {
  private static final int DAYS = 4000;
  private static final int FIRST = GenerateUtils.toEpochDate(GenerateUtils.MIN_GENERATE_DATE);

  private final Date[] dates = new Date[DAYS];

  /**
   * @param day as the generator counts
   */
  Date of(int day) {
    int epochDay = GenerateUtils.toEpochDate(day);
    int index = epochDay - FIRST;
    if (dates[index] == null) {
      dates[index] = Date.valueOf(LocalDate.ofEpochDay(epochDay));
    }
    return dates[index];
  }
}
