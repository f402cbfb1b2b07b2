package dev.kudu4j.tools.demo;

import io.trino.tpch.Distributions;
import io.trino.tpch.GenerateUtils;
import io.trino.tpch.LineItem;
import io.trino.tpch.LineItemGenerator;
import io.trino.tpch.Order;
import io.trino.tpch.OrderGenerator;
import io.trino.tpch.TextPool;

/**
 * The rows of TPC-H at one scale: made as they are read, and the same every time.
 *
 * <p>Comments are cut from a small pool of text, where TPC-H has one of 300 MB, which takes longer
 * to make than the cluster to start. All other columns are TPC-H's to the letter.
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

  /** To a few; exactly only the generator knows, when it is through. */
  long roughLineCount() {
    return LINES_PER_ORDER * orderCount();
  }
}
