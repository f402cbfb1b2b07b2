package dev.kudu4j.spark.read;

import dev.kudu4j.client.AsyncKuduScanner.ReadMode;
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
import java.util.stream.Collectors;
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
  private final List<KuduPredicate> predicates;
  private final List<Predicate> pushed;
  private final OptionalInt limit;
  private final OptionalLong snapshot; // empty for the current time
  private final List<KuduPredicate> runtimeFilters = new ArrayList<>();
  private Statistics statistics; // null until requested

  KuduScan(
      LoadedTable table,
      KuduOptions options,
      StructType columns,
      List<KuduPredicate> predicates,
      List<Predicate> pushed,
      OptionalInt limit) {
    this.table = table;
    this.options = options;
    this.columns = columns;
    this.predicates = predicates;
    this.pushed = pushed;
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
    if (!predicates.isEmpty()) {
      text.append(" where ").append(textOf(predicates));
    }
    if (!runtimeFilters.isEmpty()) {
      text.append(" learnt ").append(textOf(runtimeFilters));
    }
    limit.ifPresent(rows -> text.append(" limit ").append(rows));
    snapshot.ifPresent(time -> text.append(" as of ").append(time));
    return text.toString();
  }

  private static String textOf(List<KuduPredicate> predicates) {
    return predicates.stream()
        .map(predicate -> abbreviated(predicate.toString()))
        .collect(Collectors.joining(" and "));
  }

  private static String abbreviated(String text) {
    return text.length() <= 200 ? text : text.substring(0, 200) + "...";
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
            .replicaSelection(options.replicaSelection())
            .batchSizeBytes(options.batchBytes())
            .keepAlivePeriodMs(options.keepAlivePeriodMillis())
            .setFaultTolerant(options.faultTolerantScan())
            .readMode(ReadMode.READ_AT_SNAPSHOT)
            .snapshotTimestampRaw(QuerySnapshots.timestamp(table, options))
            .includeTableMetadata(options.useDriverMetadata())
            .includeTabletMetadata(options.useDriverMetadata());
    predicates.forEach(tokens::addPredicate);
    runtimeFilters.forEach(tokens::addPredicate);
    limit.ifPresent(tokens::limit);
    options.scanRequestTimeoutMillis().ifPresent(tokens::scanRequestTimeout);
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
  public void filter(Predicate[] filters) {
    PushedPredicates translation = new PushedPredicates(table.kuduTable().getSchema());
    runtimeFilters.clear(); // each call contains all filters
    for (Predicate filter : filters) {
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
        && pushed.equals(that.pushed)
        && limit.equals(that.limit);
  }

  private String tableId() {
    return table.kuduTable().getTableId();
  }

  @Override
  public int hashCode() {
    return Objects.hash(tableId(), columns, pushed, limit);
  }

  @Override
  public String toString() {
    return description();
  }
}
