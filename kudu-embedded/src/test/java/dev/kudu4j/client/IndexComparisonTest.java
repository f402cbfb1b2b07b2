package dev.kudu4j.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kudu4j.ColumnSchema.ColumnSchemaBuilder;
import dev.kudu4j.Schema;
import dev.kudu4j.Type;
import dev.kudu4j.client.KuduIndexComparison.Difference;
import dev.kudu4j.client.SessionConfiguration.FlushMode;
import dev.kudu4j.embedded.EmbeddedCluster;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Comparisons with an index that is wrong. Since the servers make no wrong index, an ordinary table
 * with its columns stands for it.
 */
@Timeout(180)
class IndexComparisonTest {
  private static final int ROWS = 3000;

  private static EmbeddedCluster cluster;
  private static KuduClient client;
  private static int tables;

  private KuduTable table;
  private KuduTable index;

  @BeforeAll
  static void start() {
    cluster = EmbeddedCluster.builder().tabletServers(1).start();
    client = cluster.client();
  }

  @AfterAll
  static void stop() {
    cluster.close();
  }

  private static ColumnSchemaBuilder column(String name, Type type) {
    return new ColumnSchemaBuilder(name, type);
  }

  /** Creates a table of orders and one with the columns of an index on customers. */
  private void create() throws KuduException {
    table =
        client.createTable(
            "orders " + ++tables,
            new Schema(
                List.of(
                    column("id", Type.INT64).key(true).build(),
                    column("customer", Type.STRING).nullable(true).build(),
                    column("comment", Type.STRING).nullable(true).build(),
                    column("price", Type.INT32).nullable(true).build())),
            new CreateTableOptions().addHashPartitions(List.of("id"), 3));
    index =
        client.createTable(
            "index " + tables,
            new Schema(
                List.of(
                    column("customer", Type.STRING).key(true).build(),
                    column("id", Type.INT64).key(true).build(),
                    column("price", Type.INT32).nullable(true).build())),
            new CreateTableOptions().addHashPartitions(List.of("customer"), 2));
  }

  private static Operation of(Operation operation, long id, String customer, Integer price) {
    PartialRow row = operation.getRow();
    row.addLong("id", id);
    if (customer == null) {
      row.setNull("customer");
    } else {
      row.addString("customer", customer);
    }
    if (!(operation instanceof Delete)) {
      if (price == null) {
        row.setNull("price");
      } else {
        row.addInt("price", price);
      }
    }
    return operation;
  }

  private static String customer(int id) {
    return id % 10 == 0 ? null : "customer " + id % 37;
  }

  private static Integer price(int id) {
    return id % 7 == 0 ? null : id;
  }

  private static void apply(List<Operation> operations) throws KuduException {
    KuduSession session = client.newSession();
    session.setFlushMode(FlushMode.AUTO_FLUSH_BACKGROUND);
    for (Operation operation : operations) {
      session.apply(operation);
    }
    session.close();
    assertThat(session.countPendingErrors()).isZero();
  }

  private void fill(int indexRows) throws KuduException {
    create();
    for (int id = 0; id < ROWS; id += 1000) {
      List<Operation> rows = new ArrayList<>();
      for (int i = id; i < id + 1000; i++) {
        rows.add(of(table.newInsert(), i, customer(i), price(i)));
        if (customer(i) != null && i < indexRows) {
          rows.add(of(index.newInsert(), i, customer(i), price(i)));
        }
      }
      apply(rows);
    }
  }

  private KuduIndexComparison compare(long snapshot) throws KuduException {
    return IndexComparison.of(client.asyncClient(), "by_customer", table, index, snapshot);
  }

  @Test
  void differencesAreFound() throws Exception {
    fill(ROWS);
    KuduIndexComparison before = compare(AsyncKuduClient.NO_TIMESTAMP);
    assertThat(before.isEqual()).isTrue();
    assertThat(before.tableRows()).isEqualTo(2700).isEqualTo(before.indexRows());
    assertThat(before.differences()).isEmpty();

    apply(
        List.of(
            of(index.newDelete(), 11, customer(11), null),
            of(index.newInsert(), 20, "customer 20", 20), // NULL in the table
            of(index.newUpdate(), 33, customer(33), 34),
            of(index.newUpdate(), 34, customer(34), null),
            of(index.newInsert(), 45, "former customer", 45)));
    KuduIndexComparison after = compare(AsyncKuduClient.NO_TIMESTAMP);
    assertThat(after.isEqual()).isFalse();
    assertThat(after.tableRows()).isEqualTo(2700);
    assertThat(after.indexRows()).isEqualTo(2701);
    assertThat(after.differingParts()).isBetween(1, 5);
    assertThat(after.differenceCount()).isEqualTo(5);
    assertThat(after.isCountExact()).isTrue();
    assertThat(after.differences())
        .containsExactlyInAnyOrder(
            new Difference(
                "INT64 id=11",
                Optional.of("STRING customer=customer 11, INT32 price=11"),
                Optional.empty()),
            new Difference(
                "INT64 id=20",
                Optional.empty(),
                Optional.of("STRING customer=customer 20, INT32 price=20")),
            new Difference(
                "INT64 id=33",
                Optional.of("STRING customer=customer 33, INT32 price=33"),
                Optional.of("STRING customer=customer 33, INT32 price=34")),
            new Difference(
                "INT64 id=34",
                Optional.of("STRING customer=customer 34, INT32 price=34"),
                Optional.of("STRING customer=customer 34, INT32 price=NULL")),
            new Difference(
                "INT64 id=45",
                Optional.empty(),
                Optional.of("STRING customer=former customer, INT32 price=45")));

    assertThat(compare(before.snapshotTimestamp())).isEqualTo(before);
  }

  @Test
  void theFirstOfManyDifferencesAreListed() throws Exception {
    fill(0);
    KuduIndexComparison comparison = compare(AsyncKuduClient.NO_TIMESTAMP);
    assertThat(comparison.isEqual()).isFalse();
    assertThat(comparison.indexRows()).isZero();
    assertThat(comparison.differenceCount()).isEqualTo(comparison.tableRows()).isEqualTo(2700);
    assertThat(comparison.isCountExact()).isTrue();
    assertThat(comparison.differences())
        .hasSize(100)
        .allMatch(difference -> difference.inIndex().isEmpty());
  }
}
