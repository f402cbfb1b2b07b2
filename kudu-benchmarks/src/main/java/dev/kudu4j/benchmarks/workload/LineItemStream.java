package dev.kudu4j.benchmarks.workload;

import io.trino.tpch.LineItem;

/** Rows of {@code lineitem}, one after the other. */
public interface LineItemStream {
  boolean hasNext();

  LineItem next();

  /** The order key to store the last row under. */
  long orderKey();
}
