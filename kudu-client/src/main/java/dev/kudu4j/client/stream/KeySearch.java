package dev.kudu4j.client.stream;

import dev.kudu4j.client.index.IndexSource;
import dev.kudu4j.client.scan.ScanQuery;

/** The search of an index for the keys of rows, which are then looked up. Thread-safe. */
public final class KeySearch {
  private final IndexSource index;
  private final ScanQuery query;
  private final Runnable onFailure;
  private volatile boolean failed;

  /**
   * @param query of the index's table; returns keys of the indexed table
   * @param onFailure runs if the index cannot be read
   */
  public KeySearch(IndexSource index, ScanQuery query, Runnable onFailure) {
    this.index = index;
    this.query = query;
    this.onFailure = onFailure;
  }

  public IndexSource index() {
    return index;
  }

  ScanQuery query() {
    return query;
  }

  /** Notes that the index cannot be read. */
  void fail() {
    failed = true;
    onFailure.run();
  }

  /** Whether the table has been read, because the index could not be. */
  public boolean hasFailed() {
    return failed;
  }
}
