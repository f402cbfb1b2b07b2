package dev.kudu4j.tablet.scan.aggregate;

import dev.kudu4j.common.expression.Aggregation;
import dev.kudu4j.tablet.components.Components;
import dev.kudu4j.tablet.scan.TabletScanner;
import dev.kudu4j.tablet.scan.source.CompiledScan;
import dev.kudu4j.tablet.scan.source.RowSource;
import java.io.IOException;
import java.util.List;
import java.util.function.LongSupplier;
import org.apache.arrow.memory.BufferAllocator;

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

  /**
   * Opens a scanner that returns the groups, in columns of {@link Aggregation#resultColumns}.
   *
   * @param components pinned; the scanner takes over the pin, the allocator and the source
   * @param memory limits the groups
   */
  public static TabletScanner open(
      Aggregation spec,
      CompiledScan plan,
      Components components,
      BufferAllocator allocator,
      LongSupplier nanoTime,
      RowSource source,
      GroupMemory memory) {
    return new AggregateScanner(
        components,
        allocator,
        nanoTime,
        source,
        () -> new Aggregator(spec, plan.columns(), plan.blockRows()),
        memory);
  }
}
