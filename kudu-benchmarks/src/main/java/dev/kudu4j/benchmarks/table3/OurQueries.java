package dev.kudu4j.benchmarks.table3;

import static dev.kudu4j.client.KuduExpression.literal;

import dev.kudu4j.Type;
import dev.kudu4j.benchmarks.workload.KeySample;
import dev.kudu4j.benchmarks.workload.ours.TableQueries;
import dev.kudu4j.client.KuduAggregateBuilder;
import dev.kudu4j.client.KuduException;
import dev.kudu4j.client.KuduExpression;
import dev.kudu4j.client.PartialRow;
import dev.kudu4j.client.RowResult;
import java.util.ArrayList;
import java.util.List;

/** Queries a table of Kudu4j with what only its client has: the servers aggregate. */
final class OurQueries extends TableQueries {
  OurQueries(String masters, String name, int tablets) throws KuduException {
    super(masters, name, tablets);
  }

  /** Aggregates one tablet after another. */
  private KuduAggregateBuilder aggregate() {
    return table().aggregate().scanners(1);
  }

  @Override
  protected List<List<String>> countAll() throws KuduException {
    return rows(aggregate().count("rows"));
  }

  @Override
  protected List<List<String>> count48() throws KuduException {
    return rows(aggregate().addPredicate(quantityIs48()).count("rows"));
  }

  @Override
  protected List<List<String>> six() throws KuduException {
    KuduAggregateBuilder aggregate = aggregate();
    sixPredicates().forEach(aggregate::addPredicate);
    return rows(
        aggregate.sum("revenue", expression("l_extendedprice").times(expression("l_discount"))));
  }

  @Override
  protected List<List<String>> one() throws KuduException {
    KuduExpression discounted =
        expression("l_extendedprice").times(literal(1).minus(expression("l_discount")));
    return rows(
        aggregate()
            .addPredicate(shippedForOne())
            .groupBy("l_returnflag", "l_linestatus")
            .sum("sum_qty", "l_quantity")
            .sum("sum_base_price", "l_extendedprice")
            .sum("sum_disc_price", discounted)
            .sum("sum_charge", discounted.times(literal(1).plus(expression("l_tax"))))
            .average("avg_qty", "l_quantity")
            .average("avg_price", "l_extendedprice")
            .average("avg_disc", "l_discount")
            .count("count_order")
            .orderBy("l_returnflag", true)
            .orderBy("l_linestatus", true));
  }

  private KuduExpression expression(String column) {
    return KuduExpression.column(column(column));
  }

  private static List<List<String>> rows(KuduAggregateBuilder aggregate) throws KuduException {
    List<List<String>> rows = new ArrayList<>();
    for (RowResult row : aggregate.build().execute()) {
      List<String> cells = new ArrayList<>();
      for (int i = 0; i < row.getSchema().getColumnCount(); i++) {
        boolean decimal = row.getColumnType(i) == Type.DECIMAL;
        cells.add(decimal ? row.getDecimal(i).toPlainString() : row.getObject(i).toString());
      }
      rows.add(cells);
    }
    return rows;
  }

  @Override
  public long[] lookUp(KeySample keys) throws KuduException {
    long[] nanos = new long[keys.size()];
    for (int i = 0; i < nanos.length; i++) {
      long startNanos = System.nanoTime();
      PartialRow key = table().getSchema().newPartialRow();
      key.addLong(0, keys.orderKey(i));
      key.addInt(1, keys.lineNumber(i));
      boolean found = table().get(key).isPresent();
      nanos[i] = System.nanoTime() - startNanos;
      if (!found) {
        throw new IllegalStateException("Key " + key.stringifyRowKey() + " was not found");
      }
    }
    return nanos;
  }
}
