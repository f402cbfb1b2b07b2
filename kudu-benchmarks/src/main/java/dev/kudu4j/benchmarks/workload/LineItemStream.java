package dev.kudu4j.benchmarks.workload;

import io.trino.tpch.LineItem;

/** Rows of {@code lineitem}, in sequence. */
public interface LineItemStream {
  boolean hasNext();

  LineItem next();

  /**
   * The order key of the last returned row. It may differ from the order key in the {@link
   * LineItem}.
   */
  long orderKey();
}
