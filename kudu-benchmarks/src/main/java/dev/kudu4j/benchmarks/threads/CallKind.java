package dev.kudu4j.benchmarks.threads;

/** The request of a client in one operation. */
enum CallKind {
  /** One row by an equality on its key, as published clients read it. */
  ROW("row by key", 1),

  /** 64 rows by their keys, in one call. */
  ROWS("64 rows by key", 64),

  /** All rows of the table, in as many calls as the batches need. */
  SCAN("full scan", 0);

  private final String title;
  private final int keys;

  CallKind(String title, int keys) {
    this.title = title;
    this.keys = keys;
  }

  String title() {
    return title;
  }

  /** Number of keys of one operation; 0 for a scan. */
  int keys() {
    return keys;
  }
}
