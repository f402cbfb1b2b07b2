package dev.kudu4j.tools.demo;

import io.trino.tpch.Distributions;
import io.trino.tpch.GenerateUtils;
import io.trino.tpch.LineItem;
import io.trino.tpch.LineItemGenerator;
import io.trino.tpch.Order;
import io.trino.tpch.OrderGenerator;
import io.trino.tpch.TextPool;

/**
 * Generates the rows of TPC-H at one scale factor while they are read. Each pass generates the same
 * rows.
 *
 * <p>Comments are taken from a small pool of text. TPC-H's pool has 300 MB and takes longer to
 * generate than the start of the cluster. All other columns are exactly those of TPC-H.
 */
final class TpchGenerator {
  private static final int TEXT_BYTES = 4 << 20;
  private static final int LINES_PER_ORDER = 4;

  private final double scale;
  private final Distributions distributions = Distributions.getDefaultDistributions();
  private final TextPool texts = new TextPool(TEXT_BYTES, distributions);

  TpchGenerator(double scale) {
    this.scale = scale;
  }

  Iterable<Order> orders() {
    return new OrderGenerator(scale, 1, 1, distributions, texts);
  }

  Iterable<LineItem> lines() {
    return new LineItemGenerator(scale, 1, 1, distributions, texts);
  }

  long orderCount() {
    return GenerateUtils.calculateRowCount(OrderGenerator.SCALE_BASE, scale, 1, 1);
  }

  /** The approximate number of line items. The exact number is known when all are generated. */
  long roughLineCount() {
    return LINES_PER_ORDER * orderCount();
  }
}
