package dev.kudu4j.benchmarks.workload;

import io.trino.tpch.LineItem;

/** Rows of {@code lineitem}, in sequence. */
public interface LineItemStream {
  boolean hasNext();

  LineItem next();

  /** The order key under which the last row is stored. */
  long orderKey();
}
