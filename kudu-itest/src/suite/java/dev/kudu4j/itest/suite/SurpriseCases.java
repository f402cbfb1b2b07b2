package dev.kudu4j.itest.suite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kudu4j.Schema;
import dev.kudu4j.Type;
import dev.kudu4j.client.KuduClient;
import dev.kudu4j.client.KuduException;
import dev.kudu4j.client.KuduSession;
import dev.kudu4j.client.KuduTable;
import dev.kudu4j.client.OperationResponse;
import dev.kudu4j.client.SessionConfiguration.FlushMode;
import dev.kudu4j.client.Status;
import dev.kudu4j.itest.support.Ports;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Other clients change the table of a client, or its servers do not respond. */
abstract class SurpriseCases extends ClientCase {
  /** The default timeout of a client. */
  private static final long DEFAULT_NANOS = TimeUnit.SECONDS.toNanos(30);

  private KuduClient other;

  @BeforeEach
  void openOther() {
    other = new KuduClient.KuduClientBuilder(cluster.masters()).build();
  }

  @AfterEach
  void closeOther() throws KuduException {
    other.close();
  }

  @Test
  void aTableThatDoesNotExistIsNotFound() {
    String words = "the table does not exist: table_name: \"" + tableName + "\"";
    refused(() -> client.openTable(tableName), "Not found", words);
    refused(() -> client.deleteTable(tableName), "Not found", words);
    refused(
        () -> client.alterTable(tableName, alter().addNullableColumn("n", Type.INT8)),
        "Not found",
        words);
    refused(() -> client.getTableStatistics(tableName), "Not found", words);
    refused(() -> client.isCreateTableDone(tableName), "Not found", words);
  }

  @Test
  void anOpenTableCanBeUsedAfterARename() throws Exception {
    KuduTable table = createWith(new int[] {1, 1});
    other.alterTable(tableName, alter().renameTable(tableName + "_new"));
    insert(table, new int[] {2, 2});
    assertThat(scan(table)).containsExactlyInAnyOrder("1 1", "2 2");
    assertThat(table.getName()).isEqualTo(tableName);
  }

  @Test
  void anOpenTableDoesNotSeeAnAddedColumn() throws Exception {
    KuduTable table = createWith(new int[] {1, 1});
    other.alterTable(tableName, alter().addColumn("d", Type.INT32, 42));
    insert(table, new int[] {2, 2});
    assertThat(scan(table)).containsExactlyInAnyOrder("1 1", "2 2");
    assertThat(scan(client.openTable(tableName))).containsExactlyInAnyOrder("1 1 42", "2 2 42");
  }

  @Test
  void anOpenTableCannotUseADroppedColumn() throws Exception {
    KuduTable table = createWith(new int[] {1, 1});
    other.alterTable(tableName, alter().dropColumn("v"));
    refusedSomehow(() -> apply(op(table.newInsert(), "k", 2, "v", 2)), "v INT32 NULLABLE");
    refused(() -> scan(table), "Invalid argument", "v");
    assertThat(scan(table, b -> b.setProjectedColumnNames(List.of("k")))).containsExactly("1");
  }

  /** Asserts that a batch is rejected as a whole: by an exception, or by an error of every row. */
  private static void refusedSomehow(Batch batch, String words) throws Exception {
    String outcome;
    try {
      outcome = batch.outcomes().get(0);
    } catch (KuduException e) {
      outcome = e.getStatus().toString();
    }
    assertThat(outcome).isNotEqualTo("ok").contains(words);
  }

  private interface Batch {
    List<String> outcomes() throws Exception;
  }

  @Test
  void anOpenTableCannotUseTheOldNameOfAColumn() throws Exception {
    KuduTable table = createWith(new int[] {1, 1});
    other.alterTable(tableName, alter().renameColumn("v", "w"));
    refusedSomehow(() -> apply(op(table.newInsert(), "k", 2, "v", 2)), "v INT32 NULLABLE");
    KuduTable reopened = client.openTable(tableName);
    apply(op(reopened.newInsert(), "k", 2, "w", 2));
    assertThat(scan(reopened)).containsExactlyInAnyOrder("1 1", "2 2");
  }

  @Test
  void aDeletedTableRejectsWrites() throws Exception {
    KuduTable table = createWith(new int[] {1, 1});
    other.deleteTable(tableName);
    awaitRefusal(table);
    KuduSession session = session(FlushMode.MANUAL_FLUSH);
    session.setTimeoutMillis(5_000);
    session.apply(op(table.newInsert(), "k", 2));
    assertThat(outcomeOf(session)).isNotEqualTo("ok");
    session.close();
  }

  private static String outcomeOf(KuduSession session) {
    try {
      return outcomes(session.flush()).get(0);
    } catch (KuduException e) {
      return e.getStatus().toString();
    }
  }

  @Test
  void aDeletedTableCannotBeScanned() throws Exception {
    KuduTable table = createWith(new int[] {1, 1});
    other.deleteTable(tableName);
    awaitRefusal(table);
    eventually("it is not found").untilAsserted(() -> refused(() -> scan(table), "Not found"));
  }

  /** Waits until scans are rejected: the response to a deletion comes before its effect. */
  private void awaitRefusal(KuduTable table) {
    eventually("the tablet is gone")
        .until(
            () -> {
              try {
                scan(table);
                return false;
              } catch (KuduException e) {
                return true;
              }
            });
  }

  @Test
  void aTableCreatedAgainIsAnotherTable() throws Exception {
    KuduTable old = createWith(new int[] {1, 1});
    other.deleteTable(tableName);
    other.createTable(tableName, keyAndValue(), oneTablet());
    awaitRefusal(old);
    KuduTable table = client.openTable(tableName);
    assertThat(table.getTableId()).isNotEqualTo(old.getTableId());
    assertThat(scan(table)).isEmpty();
  }

  @Test
  void writesFailWhenTheirTableIsDeleted() throws Exception {
    KuduTable table = create(keyAndValue(), twoTablets());
    KuduSession session = session(FlushMode.AUTO_FLUSH_BACKGROUND);
    session.setTimeoutMillis(5_000);
    session.setErrorCollectorSpace(100_000);
    for (int k = 0; k < 500; k++) {
      session.apply(op(table.newInsert(), "k", k, "v", k));
    }
    session.flush();
    other.deleteTable(tableName);
    eventually("both tablets are gone")
        .until(
            () -> {
              int before = session.countPendingErrors();
              for (int k = 500; k < 600; k++) {
                session.apply(op(table.newUpsert(), "k", k, "v", k));
              }
              try {
                session.flush();
              } catch (KuduException e) { // it looked up the tablets again
                assertThat(e).hasMessageContaining("does not exist");
                return true;
              }
              return session.countPendingErrors() == before + 100;
            });
    session.close();
  }

  @Test
  void rangesAddedByOthersAreFound() throws Exception {
    Schema schema = keyAndValue();
    KuduTable table =
        create(
            schema,
            options()
                .setRangePartitionColumns(List.of("k"))
                .addRangePartition(row(schema, "k", 0), row(schema, "k", 10)));
    insert(table, new int[] {1, 1});
    other.alterTable(
        tableName, alter().addRangePartition(row(schema, "k", 10), row(schema, "k", 20)));
    KuduTable reopened = client.openTable(tableName);
    insert(reopened, new int[] {11, 11});
    assertThat(keys(reopened)).containsExactlyInAnyOrder("1", "11");
  }

  @Test
  void rangesDroppedByOthersAreGone() throws Exception {
    Schema schema = keyAndValue();
    KuduTable table =
        create(
            schema,
            options()
                .setRangePartitionColumns(List.of("k"))
                .addRangePartition(row(schema, "k", 0), row(schema, "k", 10))
                .addRangePartition(row(schema, "k", 10), row(schema, "k", 20)));
    insert(table, new int[] {1, 1}, new int[] {11, 11});
    other.alterTable(
        tableName, alter().dropRangePartition(row(schema, "k", 0), row(schema, "k", 10)));
    KuduSession session = session(FlushMode.MANUAL_FLUSH);
    session.setTimeoutMillis(5_000);
    eventually("the range is gone") // the response to a drop comes before its effect
        .until(
            () -> {
              session.apply(op(table.newUpsert(), "k", 2));
              return !outcomeOf(session).equals("ok");
            });
    session.close();
    eventually("only the other range is read")
        .untilAsserted(() -> assertThat(keys(client.openTable(tableName))).containsExactly("11"));
  }

  @Test
  void callsWithoutAReachableMasterFailInTime() throws Exception {
    long start = System.nanoTime();
    try (KuduClient lonely =
        new KuduClient.KuduClientBuilder("127.0.0.1:" + Ports.free())
            .defaultAdminOperationTimeoutMs(1_000)
            .defaultOperationTimeoutMs(1_000)
            .build()) {
      assertThatThrownBy(() -> lonely.getTablesList()).isInstanceOf(KuduException.class);
    }
    assertThat(System.nanoTime() - start).isLessThan(DEFAULT_NANOS);
  }

  @Test
  void callsToASilentServerTimeOut() throws Exception {
    long start = System.nanoTime();
    try (ServerSocket silent = new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
        KuduClient lonely =
            new KuduClient.KuduClientBuilder("127.0.0.1:" + silent.getLocalPort())
                .defaultAdminOperationTimeoutMs(1_500)
                .build()) {
      assertThatThrownBy(() -> lonely.openTable(tableName)).isInstanceOf(KuduException.class);
    }
    assertThat(System.nanoTime() - start).isLessThan(DEFAULT_NANOS);
  }

  @Test
  void aClientReturnsItsSettings() throws Exception {
    try (KuduClient built =
        new KuduClient.KuduClientBuilder(List.of(cluster.masters()))
            .defaultAdminOperationTimeoutMs(11_000)
            .defaultOperationTimeoutMs(12_000)
            .workerCount(1)
            .build()) {
      assertThat(built.getDefaultAdminOperationTimeoutMs()).isEqualTo(11_000);
      assertThat(built.getDefaultOperationTimeoutMs()).isEqualTo(12_000);
      assertThat(built.getMasterAddressesAsString()).isEqualTo(cluster.masters());
      assertThat(built.tableExists(tableName)).isFalse();
      assertThat(built.newSession().getTimeoutMillis()).isEqualTo(12_000);
    }
  }

  @Test
  void statusesReportTheirCode() throws Exception {
    assertThatThrownBy(() -> client.openTable(tableName))
        .isInstanceOf(KuduException.class)
        .satisfies(
            e -> {
              Status status = ((KuduException) e).getStatus();
              assertThat(status.isNotFound()).isTrue();
              assertThat(status.ok()).isFalse();
              assertThat(status.isTimedOut()).isFalse();
              assertThat(e.getMessage()).contains(tableName);
            });
    KuduTable table = createWith(new int[] {1, 1});
    KuduSession session = client.newSession();
    OperationResponse response = session.apply(op(table.newInsert(), "k", 1));
    assertThat(response.getRowError().getErrorStatus().isAlreadyPresent()).isTrue();
    assertThat(response.getRowError().getErrorStatus().isNotFound()).isFalse();
    session.close();
  }

  @Test
  void clientsAreIndependent() throws Exception {
    KuduTable mine = createWith(new int[] {1, 1});
    KuduTable theirs = other.openTable(tableName);
    KuduSession session = other.newSession();
    session.apply(op(theirs.newInsert(), "k", 2, "v", 2));
    session.close();
    assertThat(scan(mine)).hasSize(2);
    assertThat(theirs.getSchema()).isEqualTo(mine.getSchema());
  }
}
