package dev.kudu4j.benchmarks.selection;

import dev.kudu4j.benchmarks.report.Figure;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * A query of a report: selections that differ only in where their ranges are. They are run in turn,
 * so that no run finds everything that it needs in a processor's cache.
 *
 * @param group the title of the chart in which the query is a point, such as "Q1: ..."
 * @param point its label there, such as "0.1 %"
 */
public record SelectionQuery(String group, String point, List<Selection> variants) {
  public SelectionQuery {
    if (variants.isEmpty()) {
      throw new IllegalArgumentException("A query needs a selection");
    }
    variants = List.copyOf(variants);
  }

  String title() {
    return point.isEmpty() ? group : group + ", " + point;
  }

  /** The time of a run, as its caller sees it. */
  public Figure time() {
    return new SelectionFigure(this, false);
  }

  /** The processor time of all servers in a run. */
  public Figure cpu() {
    return new SelectionFigure(this, true);
  }

  static List<Figure> figures(List<SelectionQuery> queries) {
    return queries.stream().flatMap(query -> Stream.of(query.time(), query.cpu())).toList();
  }

  /** A figure of a query. Less is better. */
  record SelectionFigure(SelectionQuery query, boolean isCpu) implements Figure {
    @Override
    public String key() {
      String words = query.title().toLowerCase(Locale.ROOT) + (isCpu ? " cpu" : " time");
      return words.replaceAll("[^a-z0-9.]+", "_");
    }

    @Override
    public String title() {
      return query.title();
    }

    @Override
    public String unit() {
      return isCpu ? "ms of servers" : "ms";
    }

    @Override
    public boolean moreIsBetter() {
      return false;
    }
  }
}
