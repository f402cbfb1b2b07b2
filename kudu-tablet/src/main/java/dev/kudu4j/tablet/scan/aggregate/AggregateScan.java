package dev.kudu4j.tablet.scan.aggregate;

import dev.kudu4j.tablet.scan.source.RowSource;
import dev.kudu4j.tablet.scan.source.ScanColumns;
import java.io.IOException;
import java.util.List;

/** Runs an aggregation over a row source. */
public final class AggregateScan {
  private AggregateScan() {}

  /**
   * Visits all rows.
   *
   * @param columns the column numbers of the source
   * @return the groups, ascending
   */
  public static List<AggregateRow> run(AggregateSpec spec, ScanColumns columns, RowSource source)
      throws IOException {
    Aggregator aggregator = new Aggregator(spec, columns);
    while (!source.isExhausted()) {
      source.visitBlock(aggregator);
    }
    return aggregator.rows();
  }
}
