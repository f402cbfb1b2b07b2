package dev.kudu4j.benchmarks.report;

/** Something that is measured: a line of a table. Equal ones are the same line. */
public interface Figure {
  /** Its name in files for programs: lower case, words joined by underscores. */
  String key();

  /** Its name for people. */
  String title();

  String unit();

  boolean moreIsBetter();
}
