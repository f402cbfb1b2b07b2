package dev.kudu4j.client;

import dev.kudu4j.Schema;
import dev.kudu4j.client.aggregate.AggregatePlan;
import dev.kudu4j.client.aggregate.GroupOrder;
import dev.kudu4j.client.aggregate.GroupTable;
import dev.kudu4j.client.aggregate.GroupsOfTablets;
import dev.kudu4j.client.collect.TabletRun;
import dev.kudu4j.client.scan.ColumnarRows;
import dev.kudu4j.client.stream.PreparedScan;
import dev.kudu4j.client.stream.SnapshotProbe;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ForkJoinPool;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;

/**
 * An aggregation over a table, which {@link KuduAggregateBuilder} describes. It may be executed
 * several times.
 */
public final class KuduAggregate {
  private final PreparedScan scan;
  private final AggregatePlan plan;
  private final GroupOrder order;
  private final long limit;
  private final int scanners;
  private final ResourceMetrics metrics = new ResourceMetrics();

  KuduAggregate(PreparedScan scan, AggregatePlan plan, GroupOrder order, long limit, int scanners) {
    this.scan = scan;
    this.plan = plan;
    this.order = order;
    this.limit = limit;
    this.scanners = scanners;
  }

  /** The columns of the result: the grouping columns, then the aggregates. */
  public Schema getSchema() {
    return Schema.of(plan.schema());
  }

  /** The index that is read instead of the table; see {@link AsyncKuduScanner#getIndex}. */
  public Optional<String> getIndex() {
    return scan.index();
  }

  /** The metrics that servers reported for all executions so far. */
  public ResourceMetrics getResourceMetrics() {
    return metrics;
  }

  /**
   * Report of how the servers ran all executions so far.
   *
   * @throws IllegalStateException if {@link AbstractKuduScannerBuilder#report} did not request the
   *     report
   */
  public ScanReport getScanReport() {
    return ScanReport.of(scan);
  }

  /**
   * Computes the result and waits for it.
   *
   * @return a row for each group; without grouping columns always one row
   * @throws KuduException also if a result does not fit into its column
   */
  public RowResultIterator execute() throws KuduException {
    return KuduClient.join(executeAsync());
  }

  /** Like {@link #execute}, without waiting. */
  public CompletableFuture<RowResultIterator> executeAsync() {
    return AsyncKuduClient.edge(
        compute()
            .thenApply(
                rows -> RowResultIterator.of(rows, getSchema(), plan.layout(), false, 0, null)));
  }

  /**
   * Computes the result as one batch of Arrow vectors, with the types that {@link
   * ArrowScanner#open} gives to such columns.
   *
   * @param allocator borrowed; close it after the batch
   * @return a batch that the caller closes
   * @throws KuduException as {@link #execute}
   */
  public VectorSchemaRoot execute(BufferAllocator allocator) throws KuduException {
    ColumnarRows rows = KuduClient.join(AsyncKuduClient.edge(compute()));
    return ArrowScanner.copy(rows, plan.schema(), allocator);
  }

  private CompletableFuture<ColumnarRows> compute() {
    return SnapshotProbe.indexOrTable(scan).thenCompose(this::compute);
  }

  private CompletableFuture<ColumnarRows> compute(PreparedScan read) {
    return new TabletRun<>(
            read,
            new GroupsOfTablets(read.query(), metrics::add),
            scanners,
            ForkJoinPool.commonPool())
        .run()
        .thenApply(this::rows);
  }

  /**
   * Whether {@link #openParts} can be used: not if the client computes a mean, a distinct count, an
   * order or a limit.
   */
  public boolean hasParts() {
    return plan.isSentAsIs() && limit == Long.MAX_VALUE;
  }

  /**
   * Opens a scanner of the groups of one tablet after another, as the servers return them, for
   * programs that merge groups themselves. A group may be returned several times, each time for
   * other rows. The columns are those of {@link #getSchema}, but exact sums, and exact extremes of
   * expressions, are decimals of 38 digits. The cells are as {@link ArrowScanner#openAsReceived}
   * returns them. Batches fail if a server cannot compute the aggregation, or if a server is lost
   * after it has returned groups; {@link #execute} does not.
   *
   * @param allocator borrowed; close it after the scanner and all batches
   * @throws IllegalStateException if {@link #hasParts} is false
   */
  public ArrowScanner openParts(BufferAllocator allocator) {
    if (!hasParts()) {
      throw new IllegalStateException(
          "The client computes means, distinct counts, orders and limits; use execute()");
    }
    return ArrowScanner.ofParts(SnapshotProbe.indexOrTable(scan).join(), metrics, allocator);
  }

  private ColumnarRows rows(GroupTable groups) {
    return plan.rows(order.first(plan.groups(groups), plan, limit));
  }
}
