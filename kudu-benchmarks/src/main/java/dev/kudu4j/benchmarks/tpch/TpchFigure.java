package dev.kudu4j.benchmarks.tpch;

import dev.kudu4j.benchmarks.report.Figure;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/**
 * A figure of one kind of storage.
 *
 * @param query number of the query; 0 if the figure is not of a query
 */
record TpchFigure(String key, String title, String unit, int query) implements Figure {
  static final TpchFigure LOAD = new TpchFigure("load", "load of all tables", "s", 0);
  static final TpchFigure SIZE = new TpchFigure("size", "size of all tables", "MB", 0);

  static TpchFigure ofQuery(int number) {
    return new TpchFigure("q" + number, "Q" + number, "s", number);
  }

  /** All figures, in the order of the tables. */
  static List<TpchFigure> all(Collection<Integer> queries) {
    List<TpchFigure> all = new ArrayList<>(List.of(LOAD, SIZE));
    queries.forEach(query -> all.add(ofQuery(query)));
    return all;
  }

  static boolean isQuery(Figure figure) {
    return ((TpchFigure) figure).query > 0;
  }

  @Override
  public boolean moreIsBetter() {
    return false;
  }
}
