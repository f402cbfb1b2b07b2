package dev.kudu4j.benchmarks.report;

/** A measured figure: a line of a table. Equal figures are the same line. */
public interface Figure {
  /** Its name in JSON: lower case, words joined by underscores. */
  String key();

  /** Its name for people. */
  String title();

  String unit();

  boolean moreIsBetter();
}
