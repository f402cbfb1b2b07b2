package dev.kudu4j.benchmarks.index;

import dev.kudu4j.benchmarks.report.Figure;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** A figure of inserts. Less is better. */
record InsertFigure(String work, Measure measure) implements Figure {
  /** The figures of each work. */
  enum Measure {
    /** From the first row to the last acknowledgement. */
    ANSWERED("until the last answer", "s"),
    /** From the first row until reads of global indexes have all rows. */
    INDEXED("until indexes have all rows", "s"),
    /** From the first row until all rows are in files. */
    FLUSHED("until flushed", "s"),
    P50("insert, p50", "ms"),
    P99("insert, p99", "ms"),
    /** At half of the rate at which inserts without index saturate the servers. */
    HALF_P50("insert at half of the rate, p50", "ms"),
    HALF_P99("insert at half of the rate, p99", "ms"),
    /** Includes the background work after the flush. */
    CPU("server CPU until flushed and idle", "s"),
    BYTES("size on disk", "MB");

    private final String title;
    private final String unit;

    Measure(String title, String unit) {
      this.title = title;
      this.unit = unit;
    }

    String title() {
      return title;
    }
  }

  /** The figures of all works, in the order of the table. */
  static List<InsertFigure> all(List<? extends InsertWork> works) {
    return works.stream()
        .flatMap(
            work -> Stream.of(Measure.values()).map(each -> new InsertFigure(work.title(), each)))
        .toList();
  }

  @Override
  public String key() {
    return (work + "_" + measure.name()).toLowerCase(Locale.ROOT).replace(' ', '_');
  }

  @Override
  public String title() {
    return work + ", " + measure.title;
  }

  @Override
  public String unit() {
    return measure.unit;
  }

  @Override
  public boolean moreIsBetter() {
    return false;
  }
}
