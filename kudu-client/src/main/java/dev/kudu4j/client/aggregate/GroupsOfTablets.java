package dev.kudu4j.client.aggregate;

import dev.kudu4j.client.cluster.Failures;
import dev.kudu4j.client.collect.TabletCollector;
import dev.kudu4j.client.scan.ProjectedColumns;
import dev.kudu4j.client.scan.RowBatch;
import dev.kudu4j.client.scan.ScanFailures;
import dev.kudu4j.client.scan.ScanQuery;
import dev.kudu4j.common.proto.tserver.ResourceMetricsPB;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.common.status.StatusCode;
import java.util.function.Consumer;

/**
 * Collects the groups of an aggregation. If the servers cannot aggregate, it reads rows and
 * aggregates them here, with numbers of any size.
 */
public final class GroupsOfTablets implements TabletCollector<GroupTable> {
  private final ScanQuery query;
  private final LocalRows local;
  private final Consumer<ResourceMetricsPB> metrics;

  /**
   * @param query has an aggregation
   * @param metrics receives what servers report with their responses; thread-safe
   */
  public GroupsOfTablets(ScanQuery query, Consumer<ResourceMetricsPB> metrics) {
    this.query = query;
    this.metrics = metrics;
    this.local = new LocalRows(query.aggregation(), query.condition());
  }

  @Override
  public GroupTable empty() {
    return new GroupTable(query.aggregation());
  }

  @Override
  public ScanQuery query(boolean here) {
    return here ? query.ofRows(new ProjectedColumns(local.columns()), null) : query;
  }

  @Override
  public void add(RowBatch rows, boolean here, GroupTable to) {
    if (here) {
      local.addTo(to, rows);
    } else {
      to.addGroups(rows);
    }
  }

  @Override
  public void merge(GroupTable part, GroupTable to) {
    to.addGroups(part);
  }

  /** Without grouping columns, a tablet returns one group with a few numbers. */
  @Override
  public boolean addsBriefly(boolean here) {
    return !here && query.aggregation().groupBy().isEmpty() && !query.aggregation().hasSketch();
  }

  @Override
  public void addMetrics(ResourceMetricsPB reported) {
    metrics.accept(reported);
  }

  /** The servers have no aggregations, or not this one: a number does not fit into 64 bits. */
  @Override
  public boolean mustCollectHere(Throwable failure) {
    return ScanFailures.isAggregationRefused(failure)
        || (Failures.unwrap(failure) instanceof KuduException known
            && known.code() == StatusCode.NOT_SUPPORTED);
  }
}
