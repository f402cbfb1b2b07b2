package dev.kudu4j.spark.read;

import dev.kudu4j.client.KuduAggregateBuilder;
import dev.kudu4j.client.KuduScanToken;
import dev.kudu4j.spark.KuduOptions;
import dev.kudu4j.spark.catalog.LoadedTable;
import dev.kudu4j.spark.client.ClusterErrors;
import java.util.List;
import java.util.Objects;
import java.util.OptionalLong;
import org.apache.spark.sql.connector.metric.CustomMetric;
import org.apache.spark.sql.connector.read.Batch;
import org.apache.spark.sql.connector.read.InputPartition;
import org.apache.spark.sql.connector.read.PartitionReaderFactory;
import org.apache.spark.sql.connector.read.Scan;
import org.apache.spark.sql.types.StructType;

/**
 * A query's aggregation, which the tablet servers compute: one task per tablet, all at the same
 * snapshot. Two scans that aggregate the same data in the same way are equal, so Spark runs them
 * once.
 */
final class KuduAggregateScan implements Scan, Batch {
  private final LoadedTable table;
  private final KuduOptions options;
  private final PushedAggregates aggregates;
  private final PushedFilters filters;
  private final boolean complete;
  private final OptionalLong snapshot; // empty for the current time
  private String indexPlan; // null until requested

  /**
   * @param complete whether Spark does not merge the groups of the tasks
   */
  KuduAggregateScan(
      LoadedTable table,
      KuduOptions options,
      PushedAggregates aggregates,
      PushedFilters filters,
      boolean complete) {
    this.complete = complete;
    this.table = table;
    this.options = options;
    this.aggregates = aggregates;
    this.filters = filters;
    this.snapshot = QuerySnapshots.specified(table, options);
  }

  @Override
  public StructType readSchema() {
    return aggregates.columns();
  }

  @Override
  public ColumnarSupportMode columnarSupportMode() {
    return ColumnarSupportMode.SUPPORTED;
  }

  @Override
  public Batch toBatch() {
    return this;
  }

  @Override
  public String description() {
    return text(indexPlan());
  }

  private String text(String indexes) {
    StringBuilder text = new StringBuilder("kudu ").append(table.name());
    text.append(' ').append(aggregates).append(filters.text());
    text.append(indexes);
    snapshot.ifPresent(time -> text.append(" as of ").append(time));
    return text.toString();
  }

  private String indexPlan() {
    if (indexPlan == null) {
      indexPlan = IndexPlan.ofGroups(table, options, filters, aggregates, !complete);
    }
    return indexPlan;
  }

  @Override
  public InputPartition[] planInputPartitions() {
    table.checkHashing();
    try {
      KuduAggregateBuilder aggregate = table.kuduTable().aggregate();
      filters.addTo(aggregate, table, options);
      aggregates.addTo(aggregate);
      aggregate.globalIndexes(!complete); // a group can be in several tablets of an index
      List<KuduScanToken> tokens = aggregate.buildTokens(options.useDriverMetadata());
      if (tokens.isEmpty() && aggregates.groupBy().isEmpty()) { // the count of nothing is 0
        return new InputPartition[] {KuduSplit.NOTHING};
      }
      return tokens.stream()
          .map(token -> KuduSplit.of(token, options.replicaSelection()))
          .toArray(InputPartition[]::new);
    } catch (RuntimeException e) {
      throw ClusterErrors.unwrapped("Table " + table.name() + " cannot be planned", e);
    }
  }

  @Override
  public PartitionReaderFactory createReaderFactory() {
    return new KuduAggregateReader.Factory(
        table.name(),
        table.connection(),
        aggregates.columns(),
        aggregates.groupBy().size(),
        complete);
  }

  @Override
  public CustomMetric[] supportedCustomMetrics() {
    return ReadMetrics.ofGroups();
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof KuduAggregateScan that
        && table.connection().equals(that.table.connection())
        && tableId().equals(that.tableId())
        && snapshot.equals(that.snapshot)
        && options.equals(that.options)
        && aggregates.equals(that.aggregates)
        && complete == that.complete
        && filters.areThoseOf(that.filters);
  }

  private String tableId() {
    return table.kuduTable().getTableId();
  }

  @Override
  public int hashCode() {
    return Objects.hash(tableId(), aggregates, filters.hashOfRows());
  }

  @Override
  public String toString() {
    return text("");
  }
}
