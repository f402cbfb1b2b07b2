package dev.kudu4j.spark.read;

import dev.kudu4j.client.KuduPredicate;
import dev.kudu4j.client.KuduScanToken;
import dev.kudu4j.spark.KuduOptions;
import dev.kudu4j.spark.catalog.LoadedTable;
import dev.kudu4j.spark.client.ClusterErrors;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.apache.spark.sql.connector.expressions.Expressions;
import org.apache.spark.sql.connector.expressions.NamedReference;
import org.apache.spark.sql.connector.expressions.filter.Predicate;
import org.apache.spark.sql.connector.metric.CustomMetric;
import org.apache.spark.sql.connector.read.Batch;
import org.apache.spark.sql.connector.read.InputPartition;
import org.apache.spark.sql.connector.read.PartitionReaderFactory;
import org.apache.spark.sql.connector.read.Statistics;
import org.apache.spark.sql.connector.read.SupportsReportStatistics;
import org.apache.spark.sql.connector.read.SupportsRuntimeV2Filtering;
import org.apache.spark.sql.types.StructType;

/**
 * A scan of a table by a query. The driver divides it into splits, one per tablet or part of a
 * tablet, which all read the same snapshot.
 *
 * <p>While the query runs, Spark may add filters from the other side of a join ({@link #filter});
 * the splits are then computed again. Such a filter only reduces work: Spark also evaluates the
 * join itself.
 *
 * <p>Two scans that read the same data are equal, so Spark runs them once.
 */
final class KuduScan implements Batch, SupportsReportStatistics, SupportsRuntimeV2Filtering {
  private final LoadedTable table;
  private final KuduOptions options;
  private final StructType columns;
  private final PushedFilters filters;
  private final OptionalInt limit;
  private final OptionalLong snapshot; // empty for the current time
  private final List<KuduPredicate> runtimeFilters = new ArrayList<>();
  private Statistics statistics; // null until requested

  KuduScan(
      LoadedTable table,
      KuduOptions options,
      StructType columns,
      PushedFilters filters,
      OptionalInt limit) {
    this.table = table;
    this.options = options;
    this.columns = columns;
    this.filters = filters;
    this.limit = limit;
    this.snapshot = QuerySnapshots.specified(table, options);
  }

  @Override
  public StructType readSchema() {
    return columns;
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
    StringBuilder text = new StringBuilder("kudu ").append(table.name());
    text.append(" [").append(String.join(", ", columns.fieldNames())).append(']');
    text.append(filters.text());
    if (!runtimeFilters.isEmpty()) {
      text.append(" learnt ").append(PushedFilters.textOf(runtimeFilters));
    }
    limit.ifPresent(rows -> text.append(" limit ").append(rows));
    snapshot.ifPresent(time -> text.append(" as of ").append(time));
    return text.toString();
  }

  // ---------------------------------------------------------------- splits

  @Override
  public InputPartition[] planInputPartitions() {
    try {
      return splits().stream()
          .map(token -> KuduSplit.of(token, options.replicaSelection()))
          .toArray(InputPartition[]::new);
    } catch (RuntimeException e) {
      throw ClusterErrors.unwrapped("Table " + table.name() + " cannot be planned", e);
    }
  }

  private List<KuduScanToken> splits() {
    KuduScanToken.KuduScanTokenBuilder tokens =
        table
            .connection()
            .client()
            .newScanTokenBuilder(table.kuduTable())
            .setProjectedColumnNames(List.of(columns.fieldNames()))
            .setFaultTolerant(options.faultTolerantScan())
            .includeTableMetadata(options.useDriverMetadata())
            .includeTabletMetadata(options.useDriverMetadata());
    filters.addTo(tokens, table, options);
    runtimeFilters.forEach(tokens::addPredicate);
    limit.ifPresent(tokens::limit);
    options.splitSizeBytes().ifPresent(tokens::setSplitSizeBytes);
    return tokens.build();
  }

  @Override
  public PartitionReaderFactory createReaderFactory() {
    return new KuduReaderFactory(
        table.name(), table.connection(), columns, options.keepAlivePeriodMillis());
  }

  // ---------------------------------------------------------------- runtime filters

  /** All columns that the scan reads. Spark adds runtime filters for those that it joins by. */
  @Override
  public NamedReference[] filterAttributes() {
    if (!options.runtimeFilters()) {
      return new NamedReference[0];
    }
    return Arrays.stream(columns.fieldNames())
        .map(name -> Expressions.column(quoted(name)))
        .toArray(NamedReference[]::new);
  }

  private static String quoted(String name) {
    return "`" + name.replace("`", "``") + "`";
  }

  @Override
  public void filter(Predicate[] learnt) {
    PushedPredicates translation = new PushedPredicates(table.kuduTable().getSchema());
    runtimeFilters.clear(); // each call contains all filters
    for (Predicate filter : learnt) {
      translation.hint(filter).ifPresent(runtimeFilters::addAll);
    }
  }

  // ---------------------------------------------------------------- size

  @Override
  public Statistics estimateStatistics() {
    if (statistics == null) {
      statistics = ScanStatistics.estimate(table, columns, limit);
    }
    return statistics;
  }

  // ---------------------------------------------------------------- metrics

  @Override
  public CustomMetric[] supportedCustomMetrics() {
    return ReadMetrics.all();
  }

  // ---------------------------------------------------------------- equality and text

  @Override
  public boolean equals(Object other) {
    return other instanceof KuduScan that
        && table.connection().equals(that.table.connection())
        && tableId().equals(that.tableId())
        && snapshot.equals(that.snapshot)
        && options.equals(that.options)
        && columns.equals(that.columns)
        && filters.offered().equals(that.filters.offered())
        && limit.equals(that.limit);
  }

  private String tableId() {
    return table.kuduTable().getTableId();
  }

  @Override
  public int hashCode() {
    return Objects.hash(tableId(), columns, filters.offered(), limit);
  }

  @Override
  public String toString() {
    return description();
  }
}
