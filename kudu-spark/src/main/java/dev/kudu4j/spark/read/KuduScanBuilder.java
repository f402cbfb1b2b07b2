package dev.kudu4j.spark.read;

import dev.kudu4j.ColumnSchema;
import dev.kudu4j.Schema;
import dev.kudu4j.client.KuduCondition;
import dev.kudu4j.client.KuduPredicate;
import dev.kudu4j.spark.KuduOptions;
import dev.kudu4j.spark.catalog.LoadedTable;
import dev.kudu4j.spark.catalog.TableDescription;
import dev.kudu4j.spark.type.SparkTypes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.spark.sql.connector.expressions.Expression;
import org.apache.spark.sql.connector.expressions.Literal;
import org.apache.spark.sql.connector.expressions.SortOrder;
import org.apache.spark.sql.connector.expressions.aggregate.Aggregation;
import org.apache.spark.sql.connector.expressions.filter.Predicate;
import org.apache.spark.sql.connector.read.Scan;
import org.apache.spark.sql.connector.read.SupportsPushDownAggregates;
import org.apache.spark.sql.connector.read.SupportsPushDownLimit;
import org.apache.spark.sql.connector.read.SupportsPushDownRequiredColumns;
import org.apache.spark.sql.connector.read.SupportsPushDownTableSample;
import org.apache.spark.sql.connector.read.SupportsPushDownTopN;
import org.apache.spark.sql.connector.read.SupportsPushDownV2Filters;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;

/**
 * Collects the properties of a scan: filters that servers evaluate exactly, a sample, columns, the
 * first rows in an order, limit, aggregates. Spark may build several scans from it.
 */
public final class KuduScanBuilder
    implements SupportsPushDownV2Filters,
        SupportsPushDownRequiredColumns,
        SupportsPushDownTableSample,
        SupportsPushDownTopN,
        SupportsPushDownLimit,
        SupportsPushDownAggregates {
  /** Spark broadcasts, and filters again, tables of this size without a noticeable cost. */
  private static final long SMALL_TABLE_ROWS = 250_000;

  private final LoadedTable table;
  private final KuduOptions options;
  private final Schema schema;
  private final PushedPredicates translation;
  private final PushedConditions conditionTranslation;
  private final List<Predicate> pushed = new ArrayList<>();
  private final List<KuduPredicate> predicates = new ArrayList<>();
  private final List<KuduCondition> conditions = new ArrayList<>();
  private StructType columns;
  private PushedSample sample = PushedSample.ALL;
  private PushedLimit limit = PushedLimit.NONE;
  private PushedAggregates aggregates; // null for a scan of rows

  public KuduScanBuilder(LoadedTable table, KuduOptions options) {
    this.table = table.withCurrentHashing();
    this.options = options;
    this.schema = table.kuduTable().getSchema();
    this.translation = new PushedPredicates(schema);
    this.conditionTranslation = new PushedConditions(schema);
    this.columns = SparkTypes.rowType(schema.getColumns());
  }

  /**
   * Accepts the predicates that servers can evaluate; returns those that Spark must evaluate.
   *
   * <p>If the table is small, the result includes the predicates that servers evaluate. Spark
   * passes the keys of a table to the scan that it is joined with only if it sees a filter on the
   * table. To filter the few rows again, and to aggregate them in Spark, costs little.
   */
  @Override
  public Predicate[] pushPredicates(Predicate[] offered) {
    if (!options.pushDown()) {
      return offered;
    }
    List<Predicate> rest = new ArrayList<>();
    boolean visible = options.runtimeFilters() && isSmall();
    for (Predicate predicate : offered) {
      if (hasNullBytes(predicate)) {
        rest.add(predicate);
        continue;
      }
      Optional<List<KuduPredicate>> known = translation.translate(predicate);
      Optional<KuduCondition> condition =
          known.isPresent() ? Optional.empty() : conditionTranslation.translate(predicate);
      known.ifPresent(predicates::addAll);
      condition.ifPresent(conditions::add);
      boolean translated = known.isPresent() || condition.isPresent();
      if (translated) {
        pushed.add(predicate);
      }
      if (!translated || (visible && isSelective(predicate))) {
        rest.add(predicate);
      }
    }
    return rest.toArray(new Predicate[0]);
  }

  private boolean isSmall() {
    OptionalLong rows = ScanStatistics.estimate(table, columns, limit.rows()).numRows();
    return rows.isPresent() && rows.getAsLong() <= SMALL_TABLE_ROWS;
  }

  /** Whether Spark takes the predicate for one that drops most rows. */
  private static boolean isSelective(Predicate predicate) {
    return !predicate.name().equals("IS_NOT_NULL") && !predicate.name().equals("IS_NULL");
  }

  /** Whether Spark would fail to print the predicate: it cannot print NULL as a BINARY literal. */
  private static boolean hasNullBytes(Expression expression) {
    return expression instanceof Literal<?> literal
        ? literal.value() == null && literal.dataType().equals(DataTypes.BinaryType)
        : Arrays.stream(expression.children()).anyMatch(KuduScanBuilder::hasNullBytes);
  }

  @Override
  public Predicate[] pushedPredicates() {
    return pushed.toArray(new Predicate[0]);
  }

  /**
   * Accepts a sample in which a row is at most once. A second sample of the same scan is left to
   * Spark: with the same seed it would keep rows of the first one only, or all of them.
   */
  @Override
  @SuppressWarnings("deprecation") // the one method that all versions of Spark call
  public boolean pushTableSample(
      double lowerBound, double upperBound, boolean withReplacement, long seed) {
    if (!options.pushDown() || withReplacement || !sample.equals(PushedSample.ALL)) {
      return false;
    }
    sample = PushedSample.of(lowerBound, upperBound, seed, schema);
    return true;
  }

  @Override
  public void pruneColumns(StructType required) {
    this.columns = required;
  }

  /** Every task stops at the limit; Spark takes the first rows of all tasks. */
  @Override
  public boolean pushLimit(int rows) {
    if (!options.pushDown() || rows <= 0) {
      return false;
    }
    this.limit = PushedLimit.of(rows);
    return true;
  }

  /**
   * Every task returns its first rows; Spark sorts those of all tasks. A fault-tolerant scan reads
   * in key order instead.
   */
  @Override
  public boolean pushTopN(SortOrder[] orders, int rows) {
    List<String> known =
        schema.getColumns().stream()
            .filter(column -> !column.isArray())
            .map(ColumnSchema::getName)
            .toList();
    Optional<PushedLimit> first =
        options.faultTolerantScan() || !options.pushDown()
            ? Optional.empty()
            : PushedLimit.of(orders, rows, known);
    first.ifPresent(pushable -> this.limit = pushable);
    return first.isPresent();
  }

  @Override
  public boolean isPartiallyPushed() {
    return true;
  }

  /**
   * Whether every group is within one tablet, because the grouping columns determine the tablet of
   * a row. Spark then need not merge the groups of the tasks.
   */
  @Override
  public boolean supportCompletePushDown(Aggregation aggregation) {
    return translate(aggregation).map(this::isComplete).orElse(false);
  }

  private boolean isComplete(PushedAggregates known) {
    return known.isFinalPerTask()
        && TableDescription.determineTablet(known.groupBy(), table.kuduTable());
  }

  @Override
  public boolean pushAggregation(Aggregation aggregation) {
    aggregates = translate(aggregation).orElse(null);
    return aggregates != null;
  }

  private Optional<PushedAggregates> translate(Aggregation aggregation) {
    return options.pushDown() ? PushedAggregates.of(aggregation, schema) : Optional.empty();
  }

  @Override
  public Scan build() {
    PushedFilters filters = new PushedFilters(pushed, predicates, conditions, sample);
    return aggregates == null
        ? new KuduScan(table, options, columns, filters, limit)
        : new KuduAggregateScan(table, options, aggregates, filters, isComplete(aggregates));
  }
}
