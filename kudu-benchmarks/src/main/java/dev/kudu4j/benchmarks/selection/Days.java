package dev.kudu4j.benchmarks.selection;

import java.sql.Date;
import java.time.LocalDate;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Dates by their days since 1970. Each day has one object, since rows of many days are few. */
public final class Days {
  private static final Map<Integer, Date> DATES = new ConcurrentHashMap<>();

  private Days() {}

  public static Date date(int epochDay) {
    return DATES.computeIfAbsent(epochDay, day -> Date.valueOf(LocalDate.ofEpochDay(day)));
  }
}
