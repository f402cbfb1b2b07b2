package dev.kudu4j.benchmarks.changes;

/** The formats of the table, in the order of the columns of the report. */
public enum TableFormat {
  KUDU("Kudu4j"),
  DELTA("Delta Lake");

  private final String title;

  TableFormat(String title) {
    this.title = title;
  }

  public String title() {
    return title;
  }
}
