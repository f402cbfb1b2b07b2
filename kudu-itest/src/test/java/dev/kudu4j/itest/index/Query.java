package dev.kudu4j.itest.index;

import dev.kudu4j.client.AbstractKuduScannerBuilder;
import dev.kudu4j.client.AsyncKuduScanner.ReadMode;
import dev.kudu4j.client.KuduAggregate;
import dev.kudu4j.client.KuduClient;
import dev.kudu4j.client.KuduException;
import dev.kudu4j.client.KuduIndexHint;
import dev.kudu4j.client.KuduScanner;
import dev.kudu4j.client.KuduTable;
import dev.kudu4j.client.ReplicaSelection;
import dev.kudu4j.client.RowResult;
import dev.kudu4j.client.ScanReport;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/**
 * A query of the table of orders, which any replica may answer.
 *
 * @param filters joined by AND
 */
record Query(Shape shape, List<Filter> filters, List<String> columns) {
  private static final List<List<String>> PROJECTIONS =
      List.of(
          OrderTable.COLUMNS,
          List.of("id"),
          List.of("price", "customer"), // all that the index by_customer has
          List.of("status", "price"), // and by_price
          List.of("customer", "day"));

  enum Shape {
    ROWS,
    /** Rows in the order of their keys. */
    ORDERED,
    /** Number of rows, sum and maximum. */
    AGGREGATED
  }

  /** Sorted rows as text, and how servers found them. */
  record Answer(List<String> rows, ScanReport report) {}

  static Query random(RandomFilters filters, Random random) {
    Shape shape =
        switch (random.nextInt(10)) {
          case 0 -> Shape.ORDERED;
          case 1, 2 -> Shape.AGGREGATED;
          default -> Shape.ROWS;
        };
    List<Filter> all = new ArrayList<>();
    for (int i = 0; i <= random.nextInt(2); i++) {
      all.add(filters.next(random.nextInt(3)));
    }
    return new Query(shape, all, PROJECTIONS.get(random.nextInt(PROJECTIONS.size())));
  }

  /** Asks servers. */
  Answer ask(KuduClient client, KuduTable table, KuduIndexHint hint, long snapshot)
      throws KuduException {
    if (shape == Shape.AGGREGATED) {
      return aggregate(table, hint, snapshot);
    }
    KuduScanner.KuduScannerBuilder builder = client.newScannerBuilder(table);
    describe(builder, hint)
        .setProjectedColumnNames(columns)
        .readMode(ReadMode.READ_AT_SNAPSHOT)
        .snapshotTimestampRaw(snapshot)
        .setFaultTolerant(shape == Shape.ORDERED);
    List<String> rows = new ArrayList<>();
    KuduScanner scanner = builder.build();
    try {
      while (scanner.hasMoreRows()) {
        for (RowResult row : scanner.nextRows()) {
          rows.add(OrderTable.text(row));
        }
      }
    } finally {
      scanner.close();
    }
    Collections.sort(rows);
    return new Answer(rows, scanner.getScanReport());
  }

  private Answer aggregate(KuduTable table, KuduIndexHint hint, long snapshot)
      throws KuduException {
    KuduAggregate query =
        describe(table.aggregate(), hint)
            .snapshotTimestampRaw(snapshot)
            .count("orders")
            .sum("prices", "price")
            .max("last", "customer")
            .build();
    List<String> rows = new ArrayList<>();
    query.execute().forEach(row -> rows.add(OrderTable.text(row)));
    return new Answer(rows, query.getScanReport());
  }

  private <B extends AbstractKuduScannerBuilder<B, ?>> B describe(B builder, KuduIndexHint hint) {
    for (Filter filter : filters) {
      if (filter.predicate() != null) {
        builder.addPredicate(filter.predicate());
      } else {
        builder.addCondition(filter.condition());
      }
    }
    return builder
        .indexHint(hint)
        .report(true)
        .replicaSelection(ReplicaSelection.CLOSEST_REPLICA); // any: all are on this machine
  }

  /** The answer that these rows have, as text. */
  List<String> answer(List<Order> orders) {
    List<Order> kept =
        orders.stream()
            .filter(order -> filters.stream().allMatch(filter -> filter.keeps(order)))
            .toList();
    if (shape == Shape.AGGREGATED) {
      return List.of(aggregated(kept));
    }
    return kept.stream().map(order -> order.text(columns)).sorted().toList();
  }

  private static String aggregated(List<Order> orders) {
    List<Long> prices =
        orders.stream().filter(o -> o.price() != null).map(o -> (long) o.price()).toList();
    String sum = prices.isEmpty() ? "null" : "" + prices.stream().mapToLong(Long::longValue).sum();
    String last = orders.stream().map(Order::customer).max(String::compareTo).orElse("null");
    return orders.size() + "|" + sum + "|" + last;
  }
}
