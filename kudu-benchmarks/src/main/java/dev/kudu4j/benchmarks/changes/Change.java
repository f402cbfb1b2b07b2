package dev.kudu4j.benchmarks.changes;

import dev.kudu4j.benchmarks.report.Figure;
import java.util.Locale;

/** A statement that changes about one row of a hundred; its figure is the statement's time. */
public enum Change implements Figure {
  /** Adds new rows from a small table. */
  INSERT("INSERT of new rows"),
  /** Changes two columns of rows that are everywhere in the table. */
  UPDATE("UPDATE by a condition"),
  /** Removes rows that are everywhere in the table. */
  DELETE("DELETE by a condition"),
  /** Half of the rows of a small table are in the table and change; the others are new. */
  MERGE("MERGE of changed and new rows");

  private final String title;

  Change(String title) {
    this.title = title;
  }

  @Override
  public String key() {
    return name().toLowerCase(Locale.ROOT);
  }

  @Override
  public String title() {
    return title;
  }

  @Override
  public String unit() {
    return "s";
  }

  @Override
  public boolean moreIsBetter() {
    return false;
  }
}
