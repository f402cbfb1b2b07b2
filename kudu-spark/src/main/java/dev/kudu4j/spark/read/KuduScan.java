package dev.kudu4j.spark.read;

import dev.kudu4j.ColumnSchema;
import dev.kudu4j.Schema;
import dev.kudu4j.client.KuduPredicate;
import dev.kudu4j.client.KuduScanToken;
import dev.kudu4j.spark.KuduOptions;
import dev.kudu4j.spark.catalog.LoadedTable;
import dev.kudu4j.spark.catalog.TableDescription;
import dev.kudu4j.spark.client.ClusterErrors;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.stream.Stream;
import org.apache.spark.sql.connector.expressions.Expressions;
import org.apache.spark.sql.connector.expressions.NamedReference;
import org.apache.spark.sql.connector.expressions.SortDirection;
import org.apache.spark.sql.connector.expressions.SortOrder;
import org.apache.spark.sql.connector.expressions.filter.Predicate;
import org.apache.spark.sql.connector.metric.CustomMetric;
import org.apache.spark.sql.connector.read.Batch;
import org.apache.spark.sql.connector.read.InputPartition;
import org.apache.spark.sql.connector.read.PartitionReaderFactory;
import org.apache.spark.sql.connector.read.Statistics;
import org.apache.spark.sql.connector.read.SupportsReportOrdering;
import org.apache.spark.sql.connector.read.SupportsReportPartitioning;
import org.apache.spark.sql.connector.read.SupportsReportStatistics;
import org.apache.spark.sql.connector.read.SupportsRuntimeV2Filtering;
import org.apache.spark.sql.connector.read.partitioning.KeyGroupedPartitioning;
import org.apache.spark.sql.connector.read.partitioning.Partitioning;
import org.apache.spark.sql.connector.read.partitioning.UnknownPartitioning;
import org.apache.spark.sql.types.StructType;

/**
 * A scan of a table by a query. The driver divides it into splits, one per tablet or part of a
 * tablet, which all read the same snapshot. The tablets are those of a global index, if that has
 * all columns and the filters select its rows by its key.
 *
 * <p>While the query runs, Spark may add filters from the other side of a join ({@link #filter});
 * the splits are then computed again. Such a filter only reduces work: Spark also evaluates the
 * join itself.
 *
 * <p>Two scans that read the same data are equal, so Spark runs them once.
 */
final class KuduScan
    implements Batch,
        SupportsReportStatistics,
        SupportsReportPartitioning,
        SupportsReportOrdering,
        SupportsRuntimeV2Filtering {
  private final LoadedTable table;
  private final KuduOptions options;
  private final StructType columns;
  private final PushedFilters filters;
  private final PushedLimit limit;
  private final OptionalLong snapshot; // empty for the current time
  private final HashPartitioning partitioning;
  private final List<KuduPredicate> runtimeFilters = new ArrayList<>();
  private Splits splits; // without runtime filters; null until requested
  private Optional<String> narrowedIndex = Optional.empty(); // with runtime filters
  private Statistics statistics; // null until requested
  private String indexPlan; // null until requested

  KuduScan(
      LoadedTable table,
      KuduOptions options,
      StructType columns,
      PushedFilters filters,
      PushedLimit limit) {
    this.table = table;
    this.options = options;
    this.columns = columns;
    this.filters = filters;
    this.limit = limit;
    this.snapshot = QuerySnapshots.specified(table, options);
    this.partitioning = HashPartitioning.of(table.kuduTable(), receivedColumns());
  }

  /** The columns that the servers send. */
  private List<String> receivedColumns() {
    return TabletColumn.withoutIt(columns, schema());
  }

  private Schema schema() {
    return table.kuduTable().getSchema();
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
    return text(indexPlan());
  }

  private String text(String indexes) {
    StringBuilder text = new StringBuilder("kudu ").append(table.name());
    text.append(" [").append(String.join(", ", columns.fieldNames())).append(']');
    text.append(filters.text());
    if (!runtimeFilters.isEmpty()) {
      text.append(" learnt ").append(PushedFilters.textOf(runtimeFilters));
    }
    text.append(limit.text());
    text.append(indexes);
    snapshot.ifPresent(time -> text.append(" as of ").append(time));
    return text.toString();
  }

  private String indexPlan() {
    if (!runtimeFilters.isEmpty() && narrowedIndex.isPresent()) {
      return IndexPlan.instead(narrowedIndex.get());
    }
    if (indexPlan == null) {
      indexPlan =
          IndexPlan.mayReadInstead(table, filters) && splits().index().isPresent()
              ? IndexPlan.instead(splits().index().get())
              : IndexPlan.ofRows(table, options, filters, receivedColumns());
    }
    return indexPlan;
  }

  // ---------------------------------------------------------------- splits

  /**
   * @param index the global index whose tablets are read instead of those of the table; empty for
   *     the table
   */
  private record Splits(List<KuduSplit> all, Optional<String> index) {
    static Splits of(List<KuduScanToken> tokens, Function<KuduScanToken, KuduSplit> split) {
      return new Splits(
          tokens.stream().map(split).toList(),
          tokens.stream().findFirst().flatMap(KuduScanToken::getIndex));
    }
  }

  @Override
  public InputPartition[] planInputPartitions() {
    List<KuduSplit> planned = runtimeFilters.isEmpty() ? splits().all() : narrowed();
    return planned.toArray(InputPartition[]::new);
  }

  /** The splits without runtime filters: always the same, whenever and how often Spark plans. */
  private Splits splits() {
    if (splits == null) {
      splits = plan(List.of(), true);
    }
    return splits;
  }

  /**
   * The splits with runtime filters. They can be those of an index that was of no use without the
   * filters, unless Spark relies on the partitioning of the table.
   */
  private List<KuduSplit> narrowed() {
    Splits before = splits();
    boolean keyed = outputPartitioning() instanceof KeyGroupedPartitioning;
    Splits after = plan(runtimeFilters, !keyed);
    narrowedIndex = after.index();
    return before.index().equals(after.index())
        ? HashPartitioning.narrowed(before.all(), after.all())
        : after.all();
  }

  /**
   * @param mayUseIndex whether a global index may be read instead of the table
   */
  private Splits plan(List<KuduPredicate> learnt, boolean mayUseIndex) {
    table.checkHashing();
    KuduScanToken.KuduScanTokenBuilder tokens =
        table
            .connection()
            .client()
            .newScanTokenBuilder(table.kuduTable())
            .setProjectedColumnNames(receivedColumns())
            .setFaultTolerant(options.faultTolerantScan())
            .globalIndexes(mayUseIndex && !showsTablets())
            .includeTableMetadata(options.useDriverMetadata())
            .includeTabletMetadata(options.useDriverMetadata());
    filters.addTo(tokens, options);
    learnt.forEach(tokens::addPredicate);
    limit.addTo(tokens);
    QuerySnapshots.earliest(table, options).ifPresent(tokens::snapshotTimestampRaw);
    options.splitSizeBytes().ifPresent(tokens::setSplitSizeBytes);
    try {
      return Splits.of(tokens.build(), this::split);
    } catch (RuntimeException e) {
      throw ClusterErrors.unwrapped("Table " + table.name() + " cannot be planned", e);
    }
  }

  /** Whether the scan returns the tablets of the rows, which an index does not know. */
  private boolean showsTablets() {
    return TabletColumn.indexIn(columns, schema()) >= 0;
  }

  private KuduSplit split(KuduScanToken token) {
    return token.getIndex().isPresent()
        ? KuduSplit.of(token, options.replicaSelection())
        : KuduSplit.of(
            token, options.replicaSelection(), partitioning.key(token.getTablet().getPartition()));
  }

  /** Called when the query begins, which is then when its time is chosen. */
  @Override
  public PartitionReaderFactory createReaderFactory() {
    return new KuduReaderFactory(
        table.name(),
        table.connection(),
        columns,
        TabletColumn.indexIn(columns, schema()),
        QuerySnapshots.timestamp(table, options),
        options.keepAlivePeriodMillis());
  }

  // ---------------------------------------------------------------- partitioning and order

  @Override
  public Partitioning outputPartitioning() {
    return partitioning.isEmpty() || splits().index().isPresent()
        ? new UnknownPartitioning(0)
        : partitioning.of(splits().all(), SparkVersion.cores(), SparkVersion.groupsEveryScan());
  }

  /** A fault-tolerant scan reads a tablet in key order; others in the order of its rowsets. */
  @Override
  public SortOrder[] outputOrdering() {
    return options.faultTolerantScan() ? keyOrder().toArray(SortOrder[]::new) : new SortOrder[0];
  }

  /** The order by the columns of the key, up to the first that is not read. */
  private Stream<SortOrder> keyOrder() {
    List<String> read = receivedColumns();
    return schema().getPrimaryKeyColumns().stream()
        .map(ColumnSchema::getName)
        .takeWhile(read::contains)
        .map(name -> Expressions.column(TableDescription.quoted(name)))
        .map(column -> Expressions.sort(column, SortDirection.ASCENDING));
  }

  // ---------------------------------------------------------------- runtime filters

  /** All columns that the servers send. Spark adds runtime filters for those that it joins by. */
  @Override
  public NamedReference[] filterAttributes() {
    if (!options.runtimeFilters()) {
      return new NamedReference[0];
    }
    return receivedColumns().stream()
        .map(name -> Expressions.column(TableDescription.quoted(name)))
        .toArray(NamedReference[]::new);
  }

  @Override
  public void filter(Predicate[] learnt) {
    PushedPredicates translation = new PushedPredicates(schema());
    runtimeFilters.clear(); // each call contains all filters
    for (Predicate filter : learnt) {
      translation.hint(filter).ifPresent(runtimeFilters::addAll);
    }
  }

  // ---------------------------------------------------------------- size

  @Override
  public Statistics estimateStatistics() {
    if (statistics == null) {
      statistics = ScanStatistics.estimate(table, columns, limit.rows(), filters);
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
        && filters.areThoseOf(that.filters)
        && limit.equals(that.limit);
  }

  private String tableId() {
    return table.kuduTable().getTableId();
  }

  @Override
  public int hashCode() {
    return Objects.hash(tableId(), columns, filters.hashOfRows(), limit);
  }

  @Override
  public String toString() {
    return text("");
  }
}
