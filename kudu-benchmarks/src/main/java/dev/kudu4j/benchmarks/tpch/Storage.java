package dev.kudu4j.benchmarks.tpch;

/** The storage of the tables, in the order of the columns of the report. */
public enum Storage {
  KUDU("Kudu4j"),
  PARQUET("Parquet");

  private final String title;

  Storage(String title) {
    this.title = title;
  }

  public String title() {
    return title;
  }
}
