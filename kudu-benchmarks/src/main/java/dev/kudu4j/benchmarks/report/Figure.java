package dev.kudu4j.benchmarks.report;

/** A measured figure, which is a line of a table. Equal figures are on the same line. */
public interface Figure {
  /** The figure's name in JSON: lower case, words joined by underscores. */
  String key();

  /** The figure's name in tables. */
  String title();

  String unit();

  boolean moreIsBetter();
}
