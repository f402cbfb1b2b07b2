package dev.kudu4j.benchmarks.table3;

import dev.kudu4j.benchmarks.report.Figure;
import dev.kudu4j.benchmarks.workload.LineItemQuery;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** A figure of a contender. Less is better in all. */
record Table3Figure(String key, String title, String unit, boolean isTime) implements Figure {
  static final Table3Figure LOAD = new Table3Figure("load", "load", "s", false);
  static final Table3Figure SIZE = new Table3Figure("size", "size", "MB", false);
  static final Table3Figure LOOK_UP_P50 =
      new Table3Figure("look_up_p50", "row by key, p50", "ms", true);
  static final Table3Figure LOOK_UP_P99 =
      new Table3Figure("look_up_p99", "row by key, p99", "ms", true);

  static Table3Figure of(LineItemQuery query) {
    return new Table3Figure(query.name().toLowerCase(Locale.ROOT), query.title(), "ms", true);
  }

  /** All figures, in the order of the table. */
  static List<Table3Figure> all() {
    List<Table3Figure> all = new ArrayList<>(List.of(LOAD, SIZE));
    for (LineItemQuery query : LineItemQuery.values()) {
      all.add(of(query));
    }
    all.add(LOOK_UP_P50);
    all.add(LOOK_UP_P99);
    return all;
  }

  @Override
  public boolean moreIsBetter() {
    return false;
  }
}
