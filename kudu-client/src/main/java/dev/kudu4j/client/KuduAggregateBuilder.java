package dev.kudu4j.client;

import dev.kudu4j.ColumnSchema;
import dev.kudu4j.client.aggregate.AggregatePlan;
import dev.kudu4j.client.aggregate.GroupOrder;
import dev.kudu4j.client.cluster.Deadline;
import dev.kudu4j.client.scan.ProjectedColumns;
import dev.kudu4j.client.scan.ScanQuery;
import dev.kudu4j.client.scan.ScanSplitter;
import dev.kudu4j.client.stream.PreparedScan;
import dev.kudu4j.client.token.ScanTokenWriter;
import dev.kudu4j.common.expression.Aggregate;
import dev.kudu4j.common.expression.Aggregate.Function;
import dev.kudu4j.common.expression.Expression;
import dev.kudu4j.common.proto.expression.AggregatePB;
import dev.kudu4j.common.proto.expression.AggregationPB;
import dev.kudu4j.common.wire.ExpressionWire;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Describes an aggregation: filters, grouping columns, aggregate functions, and the order and
 * number of result rows.
 *
 * <pre>{@code
 * KuduAggregate perStatus = table.aggregate()
 *     .groupBy("l_returnflag", "l_linestatus")
 *     .count("orders")
 *     .sum("quantity", "l_quantity")
 *     .average("price", "l_extendedprice")
 *     .orderBy("l_returnflag", true)
 *     .build();
 * for (RowResult row : perStatus.execute()) {
 *   System.out.println(row.getString("l_returnflag") + " " + row.getLong("orders"));
 * }
 * }</pre>
 *
 * <p>Tablet servers of Kudu4j aggregate where the data is. Those of Apache Kudu send the rows, and
 * this client aggregates them. By default all tablets are read at one snapshot, which includes all
 * writes of this client.
 *
 * <p>COUNT is an INT64. SUM, MIN and MAX of integers, dates and timestamps are INT64, those of
 * decimals are DECIMAL(38), those of floats and doubles and all averages are DOUBLE; MIN and MAX of
 * a column without arithmetic have the type of the column. An aggregate of no value is NULL, except
 * a COUNT, which is 0. NaN is greater than all other numbers.
 */
public final class KuduAggregateBuilder
    extends AbstractKuduScannerBuilder<KuduAggregateBuilder, KuduAggregate> {
  private static final int DEFAULT_SCANNERS = 4;

  private record Order(String column, boolean ascending) {}

  private final List<dev.kudu4j.common.schema.ColumnSchema> groupBy = new ArrayList<>();
  private final List<AggregatePlan.Named> aggregates = new ArrayList<>();
  private final List<Order> order = new ArrayList<>();
  private int scanners = DEFAULT_SCANNERS;

  KuduAggregateBuilder(AsyncKuduClient client, KuduTable table) {
    super(client, table);
    readMode(AsyncKuduScanner.ReadMode.READ_AT_SNAPSHOT);
  }

  /**
   * Adds grouping columns: rows with equal values in all of them form a group. All NaN are equal,
   * and so are 0.0 and -0.0; their groups have the values NaN and 0.0.
   */
  public KuduAggregateBuilder groupBy(String... columns) {
    for (String name : columns) {
      dev.kudu4j.common.schema.ColumnSchema column = column(name);
      if (column.isArray()) {
        throw new IllegalArgumentException(
            "Cannot group by " + name + ": it has arrays, which cannot be compared");
      }
      groupBy.add(column);
    }
    return this;
  }

  /**
   * Adds the number of rows.
   *
   * @param name the name of the result column; so in all methods that add an aggregate
   */
  public KuduAggregateBuilder count(String name) {
    return add(name, Function.COUNT, null);
  }

  /** Adds the number of rows in which a column is not NULL. */
  public KuduAggregateBuilder count(String name, String column) {
    return add(name, Function.COUNT, cells(column));
  }

  /**
   * Adds the number of different values of a column, NULL not counted. The count is exact, so the
   * client receives each value of each group, and holds all of them in memory. With several such
   * columns it receives every combination of their values; use an aggregation for each column if
   * they are many. All NaN are one value, and so are 0.0 and -0.0.
   */
  public KuduAggregateBuilder countDistinct(String name, String column) {
    if (column(column).isArray()) {
      throw new IllegalArgumentException(
          "Cannot count the distinct values of "
              + column
              + ": it has arrays, which cannot be compared");
    }
    aggregates.add(
        new AggregatePlan.Named(name, new Aggregate(Function.COUNT, cells(column)), true));
    return this;
  }

  /**
   * Adds an estimate of the number of different values of a column, NULL not counted. Each server
   * returns a sketch of at most 4 KB for each group instead of the values. The standard error is
   * 1.7 %; up to some hundred values the count is exact in practice. For a column of any type but
   * arrays: NaN is one value, and 0.0 equals -0.0.
   */
  public KuduAggregateBuilder countDistinctApprox(String name, String column) {
    return add(name, Function.DISTINCT_SKETCH, cells(column));
  }

  public KuduAggregateBuilder sum(String name, String column) {
    return add(name, Function.SUM, cells(column));
  }

  public KuduAggregateBuilder sum(String name, KuduExpression expression) {
    return add(name, Function.SUM, expression.toCommon());
  }

  /** Adds the least value of a column of any type. */
  public KuduAggregateBuilder min(String name, String column) {
    return add(name, Function.MIN, cells(column));
  }

  public KuduAggregateBuilder min(String name, KuduExpression expression) {
    return add(name, Function.MIN, expression.toCommon());
  }

  /** Adds the greatest value of a column of any type. */
  public KuduAggregateBuilder max(String name, String column) {
    return add(name, Function.MAX, cells(column));
  }

  public KuduAggregateBuilder max(String name, KuduExpression expression) {
    return add(name, Function.MAX, expression.toCommon());
  }

  /** Adds the mean of the values that are not NULL. */
  public KuduAggregateBuilder average(String name, String column) {
    return add(name, Function.AVG, cells(column));
  }

  public KuduAggregateBuilder average(String name, KuduExpression expression) {
    return add(name, Function.AVG, expression.toCommon());
  }

  /**
   * Restricts the aggregate that was added last to the rows that match a condition, as FILTER does
   * in SQL.
   *
   * @throws IllegalStateException if there is no aggregate
   */
  public KuduAggregateBuilder filter(KuduCondition rows) {
    if (aggregates.isEmpty()) {
      throw new IllegalStateException("filter() applies to the aggregate before it; add one first");
    }
    int last = aggregates.size() - 1;
    aggregates.set(last, aggregates.get(last).filteredBy(rows.toCommon()));
    return this;
  }

  /**
   * Orders the result by one of its columns, after those that were added before. NULL is below all
   * values.
   */
  public KuduAggregateBuilder orderBy(String column, boolean ascending) {
    order.add(new Order(column, ascending));
    return this;
  }

  /** Sets the maximum number of rows of the result; no limit by default. */
  @Override
  public KuduAggregateBuilder limit(long rows) {
    return super.limit(rows);
  }

  /** Sets how many tablets are read concurrently; default 4. */
  public KuduAggregateBuilder scanners(int count) {
    if (count <= 0) {
      throw new IllegalArgumentException("Need a number above 0, got " + count);
    }
    this.scanners = count;
    return this;
  }

  private KuduAggregateBuilder add(String name, Function function, Expression argument) {
    aggregates.add(new AggregatePlan.Named(name, new Aggregate(function, argument)));
    return this;
  }

  private Expression cells(String column) {
    return Expression.column(column(column));
  }

  private dev.kudu4j.common.schema.ColumnSchema column(String name) {
    ColumnSchema column = table.getSchema().getColumn(name);
    return stripped(column);
  }

  /** Adds the grouping columns and aggregates of a scan token. */
  KuduAggregateBuilder add(AggregationPB aggregation) {
    groupBy(aggregation.getGroupByList().toArray(String[]::new));
    dev.kudu4j.common.schema.Schema columns = table.getSchema().toCommon();
    for (AggregatePB aggregate : aggregation.getAggregatesList()) {
      aggregates.add(
          new AggregatePlan.Named(
              aggregate.getName(), ExpressionWire.fromWire(aggregate, columns)));
    }
    return this;
  }

  /**
   * @throws IllegalArgumentException if options contradict each other, names are not unique, or an
   *     aggregate cannot be computed of its column
   */
  @Override
  public KuduAggregate build() {
    AggregatePlan plan = plan();
    PreparedScan prepared = prepare(plan);
    GlobalIndexes indexes = table.globalIndexes();
    PreparedScan scan = mayUseIndex() ? indexes.choose(prepared) : indexes.ofTable(prepared);
    return new KuduAggregate(scan, plan, order(plan), limit, scanners);
  }

  /**
   * Builds a scan token for each tablet, of the table or of an index that is read instead; see
   * {@link #globalIndexes}. The aggregation of a token covers its tablet; the reader merges the
   * results of all tablets.
   *
   * @param includeMetadata whether tokens contain the metadata of the table and the locations of
   *     the tablet, so that their readers need not ask the master
   * @throws IllegalArgumentException as {@link #build}, and if there is an average or a distinct
   *     count, which cannot be merged, or an order or a limit
   */
  public List<KuduScanToken> buildTokens(boolean includeMetadata) {
    if (!order.isEmpty() || limit != Long.MAX_VALUE) {
      throw new IllegalArgumentException(
          "The aggregations of single tablets have no order and no limit");
    }
    if (aggregates.stream()
        .anyMatch(named -> named.distinct() || isMean(named) || isSketch(named))) {
      throw new IllegalArgumentException(
          "The averages and distinct counts of single tablets cannot be merged; use a sum and a"
              + " count, or group by the column");
    }
    try {
      fixSnapshot();
    } catch (KuduException e) {
      throw new RuntimeException(e);
    }
    PreparedScan scan = prepare(plan());
    if (scan.query().matchesNothing()) {
      return List.of();
    }
    try {
      PreparedScan chosen = forPieces(scan);
      ScanTokenWriter writer =
          new ScanTokenWriter(
              table.description(), chosen, named(), includeMetadata, includeMetadata);
      ScanSplitter splitter =
          chosen.splitter(Deadline.after(client.getDefaultOperationTimeoutMs()));
      return KuduClient.join(splitter.pieces(0)).stream()
          .map(
              piece ->
                  new KuduScanToken(new LocatedTablet(piece.tablet()), writer.message(piece), 0))
          .toList();
    } catch (KuduException e) {
      throw new RuntimeException(e);
    }
  }

  private static boolean isMean(AggregatePlan.Named named) {
    return named.aggregate().function() == Function.AVG;
  }

  private static boolean isSketch(AggregatePlan.Named named) {
    return named.aggregate().function() == Function.DISTINCT_SKETCH;
  }

  private AggregationPB named() {
    AggregationPB.Builder named = AggregationPB.newBuilder();
    groupBy.forEach(column -> named.addGroupBy(column.name()));
    for (AggregatePlan.Named aggregate : aggregates) {
      named.addAggregates(
          ExpressionWire.toWire(aggregate.aggregate()).toBuilder().setName(aggregate.name()));
    }
    return named.build();
  }

  private AggregatePlan plan() {
    if (projectedNames != null || projectedIndexes != null) {
      throw new IllegalArgumentException("An aggregation has no projected columns; use groupBy()");
    }
    if (startTimestamp != NO_TIMESTAMP) {
      throw new IllegalArgumentException("An aggregation cannot be a diff scan");
    }
    try {
      return new AggregatePlan(groupBy, aggregates);
    } catch (dev.kudu4j.common.status.KuduException e) {
      throw new IllegalArgumentException(e.getMessage(), e);
    }
  }

  private PreparedScan prepare(AggregatePlan plan) {
    ScanQuery query =
        aggregateQuery(new ProjectedColumns(plan.sent().resultColumns()), plan.sent());
    return prepare(query, false);
  }

  private GroupOrder order(AggregatePlan plan) {
    List<GroupOrder.Column> columns = new ArrayList<>();
    for (Order wanted : order) {
      int index = plan.schema().indexOfName(wanted.column());
      if (index < 0) {
        throw new IllegalArgumentException(
            "The result has no column "
                + wanted.column()
                + " to order by; its columns are "
                + plan.schema().columns().stream()
                    .map(dev.kudu4j.common.schema.ColumnSchema::name)
                    .collect(Collectors.joining(", ")));
      }
      columns.add(new GroupOrder.Column(index, wanted.ascending()));
    }
    return new GroupOrder(columns);
  }
}
