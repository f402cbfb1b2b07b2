package dev.kudu4j.benchmarks.workload;

import io.trino.tpch.LineItem;

/** Rows of {@code lineitem}, in sequence. */
public interface LineItemStream {
  boolean hasNext();

  LineItem next();

  /** The order key of the last row, which may differ from the one in the generated row. */
  long orderKey();
}
