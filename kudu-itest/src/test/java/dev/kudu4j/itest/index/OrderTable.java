package dev.kudu4j.itest.index;

import dev.kudu4j.ColumnSchema.ColumnSchemaBuilder;
import dev.kudu4j.Schema;
import dev.kudu4j.Type;
import dev.kudu4j.client.CreateTableOptions;
import dev.kudu4j.client.KuduClient;
import dev.kudu4j.client.KuduException;
import dev.kudu4j.client.KuduIndex;
import dev.kudu4j.client.KuduTable;
import dev.kudu4j.client.Operation;
import dev.kudu4j.client.PartialRow;
import dev.kudu4j.client.RowResult;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** The table of {@link Order}s, its indexes, and its rows on their way to and from the servers. */
final class OrderTable {
  static final String NAME = "orders";
  static final int TABLETS = 2;
  static final int REPLICAS = 3;
  static final List<String> COLUMNS = List.of("id", "customer", "price", "status", "weight", "day");

  /** Those that the table has at the start and at the end. */
  static final List<KuduIndex> LASTING =
      List.of(
          KuduIndex.local("by_customer", "customer", "price"),
          KuduIndex.local("by_price", "price").including("customer", "status"));

  /** Those that come and go. */
  static final List<KuduIndex> PASSING =
      List.of(
          KuduIndex.local("by_status", "status", "weight").including("id"),
          KuduIndex.local("by_weight", "weight"));

  private OrderTable() {}

  static KuduTable create(KuduClient client) throws KuduException {
    Schema schema =
        new Schema(
            List.of(
                new ColumnSchemaBuilder("id", Type.INT64).key(true).build(),
                new ColumnSchemaBuilder("customer", Type.STRING).build(),
                new ColumnSchemaBuilder("price", Type.INT32).nullable(true).build(),
                new ColumnSchemaBuilder("status", Type.STRING).nullable(true).build(),
                new ColumnSchemaBuilder("weight", Type.DOUBLE).nullable(true).build(),
                new ColumnSchemaBuilder("day", Type.INT32).build()));
    CreateTableOptions options =
        new CreateTableOptions().addHashPartitions(List.of("id"), TABLETS).setNumReplicas(REPLICAS);
    LASTING.forEach(options::addIndex);
    return client.createTable(NAME, schema, options);
  }

  /** Sets all columns. */
  static Operation filled(Operation operation, Order order) {
    PartialRow row = operation.getRow();
    row.addLong("id", order.id());
    row.addString("customer", order.customer());
    addPrice(row, order);
    addStatus(row, order);
    if (order.weight() == null) {
      row.setNull("weight");
    } else {
      row.addDouble("weight", order.weight());
    }
    row.addInt("day", order.day());
    return operation;
  }

  /** Sets the key and the column that differs. */
  static Operation changed(Operation update, Order before, Order after) {
    PartialRow row = update.getRow();
    row.addLong("id", after.id());
    if (!before.customer().equals(after.customer())) {
      row.addString("customer", after.customer());
    } else if (before.withPrice(after.price()).equals(after)) {
      addPrice(row, after);
    } else {
      addStatus(row, after);
    }
    return update;
  }

  private static void addPrice(PartialRow row, Order order) {
    if (order.price() == null) {
      row.setNull("price");
    } else {
      row.addInt("price", order.price());
    }
  }

  private static void addStatus(PartialRow row, Order order) {
    if (order.status() == null) {
      row.setNull("status");
    } else {
      row.addString("status", order.status());
    }
  }

  /** The cells of a row that was read, in the form of {@link Order#text}. */
  static String text(RowResult row) {
    return IntStream.range(0, row.getColumnProjection().getColumnCount())
        .mapToObj(i -> String.valueOf(row.isNull(i) ? null : row.getObject(i)))
        .collect(Collectors.joining("|"));
  }
}
