package dev.kudu4j.benchmarks.report;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Bounds that figures of a run should keep, and whether they do. */
public final class Goals {
  private record Goal(String title, double value, boolean atLeast, double limit) {
    boolean isMeasured() {
      return !Double.isNaN(value);
    }

    boolean isReached() {
      return atLeast ? value >= limit : value <= limit;
    }

    String verdict() {
      return isMeasured() ? isReached() ? "reached" : "missed" : "not measured";
    }
  }

  private final List<Goal> goals = new ArrayList<>();

  /**
   * Adds a figure that should not be below the limit.
   *
   * @param value NaN if the run did not measure it
   */
  public void atLeast(String title, double value, double limit) {
    goals.add(new Goal(title, value, true, limit));
  }

  /**
   * Adds a figure that should not be above the limit.
   *
   * @param value NaN if the run did not measure it
   */
  public void atMost(String title, double value, double limit) {
    goals.add(new Goal(title, value, false, limit));
  }

  public Table table() {
    Table table = new Table("Goals", 1, List.of("figure", "goal", "measured", ""));
    for (Goal goal : goals) {
      table.row(
          goal.title,
          (goal.atLeast ? "≥ " : "≤ ") + Table.number(goal.limit),
          Table.number(goal.value),
          goal.verdict());
    }
    return table;
  }

  /** The goals that were measured, for {@link Report#data}. */
  public List<Map<String, Object>> numbers() {
    List<Map<String, Object>> numbers = new ArrayList<>();
    for (Goal goal : goals) {
      if (goal.isMeasured()) {
        Map<String, Object> entry = new LinkedHashMap<>();
        entry.put("figure", goal.title);
        entry.put(goal.atLeast ? "at_least" : "at_most", goal.limit);
        entry.put("value", goal.value);
        entry.put("reached", goal.isReached());
        numbers.add(entry);
      }
    }
    return numbers;
  }
}
