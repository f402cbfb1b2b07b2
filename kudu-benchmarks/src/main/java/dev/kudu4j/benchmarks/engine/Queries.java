package dev.kudu4j.benchmarks.engine;

import static dev.kudu4j.common.expression.Expression.column;
import static dev.kudu4j.common.expression.Expression.literal;

import dev.kudu4j.benchmarks.baseline.LineItemTable;
import dev.kudu4j.benchmarks.engine.EngineReport.Goal;
import dev.kudu4j.benchmarks.workload.LineItemQuery;
import dev.kudu4j.common.expression.Aggregate;
import dev.kudu4j.common.expression.Aggregation;
import dev.kudu4j.common.expression.Expression;
import dev.kudu4j.common.predicate.ColumnPredicate;
import dev.kudu4j.common.schema.ColumnSchema;
import dev.kudu4j.common.schema.DataType;
import dev.kudu4j.common.schema.LittleEndian;
import java.time.LocalDate;
import java.util.List;

/** The measured queries. */
final class Queries {
  private static final double HALF = 0.5;

  private final LineItemTable table;

  Queries(LineItemTable table) {
    this.table = table;
  }

  /** All queries. */
  List<Query> all() {
    return List.of(countAll(), nonKeyPredicate(), six(), one());
  }

  Query countAll() {
    return query(
        LineItemQuery.COUNT_ALL,
        List.of(),
        new Aggregation(List.of(), List.of(Aggregate.count())),
        Goal.AT_MOST,
        1);
  }

  Query nonKeyPredicate() {
    ColumnSchema quantity = columnOf(LineItemTable.QUANTITY);
    return query(
        LineItemQuery.COUNT_48,
        List.of(new ColumnPredicate.Equality(quantity, amount(4800))),
        new Aggregation(List.of(), List.of(Aggregate.count())),
        Goal.RATIO_AT_MOST,
        HALF);
  }

  /** TPC-H's query 6, the forecast of revenue change. */
  Query six() {
    ColumnSchema quantity = columnOf(LineItemTable.QUANTITY);
    ColumnSchema discount = columnOf(LineItemTable.DISCOUNT);
    ColumnSchema shipDate = columnOf(LineItemTable.SHIP_DATE);
    Expression revenue = column(columnOf(LineItemTable.PRICE)).times(column(discount));
    return query(
        LineItemQuery.SIX,
        List.of(
            new ColumnPredicate.Range(shipDate, date("1994-01-01"), date("1995-01-01")),
            new ColumnPredicate.Range(discount, amount(5), amount(8)),
            new ColumnPredicate.Range(quantity, null, amount(2400))),
        new Aggregation(List.of(), List.of(Aggregate.sum(revenue))),
        Goal.RATIO_AT_MOST,
        HALF);
  }

  /** TPC-H's query 1, the pricing summary. */
  Query one() {
    Expression quantity = column(columnOf(LineItemTable.QUANTITY));
    Expression price = column(columnOf(LineItemTable.PRICE));
    Expression discount = column(columnOf(LineItemTable.DISCOUNT));
    Expression discounted = price.times(literal("1").minus(discount));
    Expression charged = discounted.times(literal("1").plus(column(columnOf(LineItemTable.TAX))));
    return query(
        LineItemQuery.ONE,
        List.of(
            new ColumnPredicate.Range(columnOf(LineItemTable.SHIP_DATE), null, date("1998-09-03"))),
        new Aggregation(
            List.of(columnOf(LineItemTable.RETURN_FLAG), columnOf(LineItemTable.LINE_STATUS)),
            List.of(
                Aggregate.sum(quantity),
                Aggregate.sum(price),
                Aggregate.sum(discounted),
                Aggregate.sum(charged),
                Aggregate.avg(quantity),
                Aggregate.avg(price),
                Aggregate.avg(discount),
                Aggregate.count())),
        Goal.RATIO_AT_MOST,
        HALF);
  }

  private static Query query(
      LineItemQuery query,
      List<ColumnPredicate> predicates,
      Aggregation aggregates,
      Goal goal,
      double limit) {
    return new Query(query.title(), query.sql(), predicates, aggregates, goal, limit);
  }

  private ColumnSchema columnOf(int id) {
    return table.schema().column(id);
  }

  private static byte[] date(String text) {
    byte[] cell = new byte[4];
    LittleEndian.putInt(cell, 0, (int) LocalDate.parse(text).toEpochDay());
    return cell;
  }

  private byte[] amount(long hundredths) {
    boolean floating = columnOf(LineItemTable.QUANTITY).type() == DataType.DOUBLE;
    byte[] cell = new byte[8];
    LittleEndian.putLong(
        cell, 0, floating ? Double.doubleToRawLongBits(hundredths / 100.0) : hundredths);
    return cell;
  }
}
