package dev.kudu4j.benchmarks.workload;

import io.trino.tpch.Distributions;
import io.trino.tpch.LineItem;
import io.trino.tpch.LineItemGenerator;
import io.trino.tpch.TextPool;
import java.util.Iterator;

/**
 * Rows that are generated before the measurement, so that no figure includes the generator. A table
 * larger than the pool repeats the pool's rows, each time with higher order keys.
 */
public final class LineItemPool {
  private static final int MAX_ITEMS = 100_000;
  private static final int MAX_LINES_OF_ORDER = 7;
  private static final int ORDERS_OF_SCALE_1 = 1_500_000;
  private static final double ROWS_OF_SCALE_1 = 6_001_215;

  /** Size of the text from which comments are cut. TPC-H's own text is 300 MB long. */
  private static final int TEXT_BYTES = 1 << 20;

  private final long rows;
  private final LineItem[] items;
  private final long keySpan;

  /**
   * @param scale TPC-H's scale factor; 1 is 6,001,215 rows
   */
  public LineItemPool(double scale) {
    this.rows = Math.max(1, Math.round(scale * ROWS_OF_SCALE_1));
    this.items = new LineItem[(int) Math.min(rows, MAX_ITEMS)];
    Distributions words = Distributions.getDefaultDistributions();
    double enough = (items.length + MAX_LINES_OF_ORDER) / (double) ORDERS_OF_SCALE_1;
    Iterator<LineItem> generated =
        new LineItemGenerator(enough, 1, 1, words, new TextPool(TEXT_BYTES, words)).iterator();
    for (int i = 0; i < items.length; i++) {
      items[i] = generated.next();
    }
    this.keySpan = items[items.length - 1].getOrderKey() + 1;
  }

  public long rows() {
    return rows;
  }

  /**
   * One of {@code parts} equal shares of the rows.
   *
   * @param part number of the share, from 1
   */
  public LineItemStream share(int part, int parts) {
    return new Share(rows * (part - 1) / parts, rows * part / parts, 0);
  }

  /**
   * An endless stream of rows whose order keys occur in no {@link #share}.
   *
   * @param series number of the stream; streams with different numbers have different keys
   */
  public LineItemStream extraRows(int series) {
    return new Share(0, Long.MAX_VALUE, (1L + series) << 40);
  }

  private final class Share implements LineItemStream {
    private final long end;
    private final long firstKey;
    private long row;
    private long orderKey;

    Share(long start, long end, long firstKey) {
      this.row = start;
      this.end = end;
      this.firstKey = firstKey;
    }

    @Override
    public boolean hasNext() {
      return row < end;
    }

    @Override
    public LineItem next() {
      LineItem item = items[(int) (row % items.length)];
      orderKey = firstKey + row / items.length * keySpan + item.getOrderKey();
      row++;
      return item;
    }

    @Override
    public long orderKey() {
      return orderKey;
    }
  }
}
