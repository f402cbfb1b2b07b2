package dev.kudu4j.benchmarks.baseline;

import java.util.List;

/** Compares results of queries: rows of cells, each cell as text. */
public final class Answers {
  private static final double TOLERANCE = 1e-9;

  private Answers() {}

  /**
   * Whether two results have equal rows in the same order. Numbers may differ in their form and by
   * a billionth: sums of doubles depend on the order of the rows.
   */
  public static boolean areSame(List<List<String>> ours, List<List<String>> theirs) {
    boolean same = ours.size() == theirs.size();
    for (int i = 0; same && i < ours.size(); i++) {
      same = isSameRow(ours.get(i), theirs.get(i));
    }
    return same;
  }

  private static boolean isSameRow(List<String> ours, List<String> theirs) {
    boolean same = ours.size() == theirs.size();
    for (int i = 0; same && i < ours.size(); i++) {
      same = ours.get(i).equals(theirs.get(i)) || isClose(ours.get(i), theirs.get(i));
    }
    return same;
  }

  private static boolean isClose(String ours, String theirs) {
    try {
      double a = Double.parseDouble(ours);
      double b = Double.parseDouble(theirs);
      return Math.abs(a - b) <= TOLERANCE * Math.max(Math.abs(a), Math.abs(b));
    } catch (NumberFormatException e) {
      return false; // strings, and not equal
    }
  }
}
