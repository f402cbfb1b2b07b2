package dev.kudu4j.benchmarks.table3;

/** The engines that are compared, in the order of the columns of the report. */
enum Contender {
  KUDU4J("Kudu4j"),
  DUCKDB("DuckDB"),
  PARQUET("Parquet, DuckDB"),
  APACHE_KUDU("Apache Kudu");

  private final String title;

  Contender(String title) {
    this.title = title;
  }

  String title() {
    return title;
  }
}
