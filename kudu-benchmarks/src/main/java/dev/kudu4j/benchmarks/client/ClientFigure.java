package dev.kudu4j.benchmarks.client;

import dev.kudu4j.benchmarks.report.Figure;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * A measure of a task on one kind of servers.
 *
 * @param ourServers whether the servers are those of Kudu4j, not the published ones
 */
record ClientFigure(boolean ourServers, Task task, Measure measure) implements Figure {
  /** All figures, in the order of the tables. */
  static List<ClientFigure> all() {
    List<ClientFigure> all = new ArrayList<>();
    for (boolean ours : new boolean[] {true, false}) {
      for (Task task : Task.values()) {
        task.measures().forEach(measure -> all.add(new ClientFigure(ours, task, measure)));
      }
    }
    return all;
  }

  @Override
  public String key() {
    return ((ourServers ? "kudu4j_" : "apache_kudu_") + task + "_" + measure)
        .toLowerCase(Locale.ROOT);
  }

  @Override
  public String title() {
    return task.title() + measure.suffix();
  }

  @Override
  public String unit() {
    return measure.unit();
  }

  @Override
  public boolean moreIsBetter() {
    return measure.moreIsBetter();
  }
}
