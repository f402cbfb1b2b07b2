package dev.kudu4j.benchmarks.index;

/** Whether the rows are inserted into a table with indexes, in the order of the columns. */
enum Indexing {
  TWO("two local indexes"),
  NONE("no index");

  private final String title;

  Indexing(String title) {
    this.title = title;
  }

  String title() {
    return title;
  }
}
