package dev.kudu4j.tablet.scan.aggregate;

import dev.kudu4j.common.expression.Aggregation;
import dev.kudu4j.tablet.scan.source.CompiledScan;
import dev.kudu4j.tablet.scan.source.RowSource;
import java.io.IOException;
import java.util.List;

/** Runs an aggregation over a row source. */
public final class AggregateScan {
  private AggregateScan() {}

  /**
   * Visits all rows.
   *
   * @param plan the scan of the source
   * @return the groups, ascending
   */
  public static List<AggregateRow> run(Aggregation spec, CompiledScan plan, RowSource source)
      throws IOException {
    Aggregator aggregator = new Aggregator(spec, plan.columns(), plan.blockRows());
    while (!source.isExhausted()) {
      source.visitBlock(aggregator);
    }
    return aggregator.rows();
  }
}
