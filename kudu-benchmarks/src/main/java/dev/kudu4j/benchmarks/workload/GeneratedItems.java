package dev.kudu4j.benchmarks.workload;

import io.trino.tpch.LineItem;
import io.trino.tpch.LineItemGenerator;
import java.util.Iterator;

/** The rows of TPC-H, generated while they are read. */
public final class GeneratedItems implements LineItemStream {
  private final Iterator<LineItem> items;
  private long orderKey;

  /**
   * One of {@code parts} equal shares of the table.
   *
   * @param part number of the share, from 1
   */
  public GeneratedItems(double scale, int part, int parts) {
    this.items = new LineItemGenerator(scale, part, parts).iterator();
  }

  @Override
  public boolean hasNext() {
    return items.hasNext();
  }

  @Override
  public LineItem next() {
    LineItem item = items.next();
    orderKey = item.getOrderKey();
    return item;
  }

  @Override
  public long orderKey() {
    return orderKey;
  }
}
