package dev.kudu4j.itest.suite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import dev.kudu4j.client.AsyncKuduClient;
import dev.kudu4j.client.KuduException;
import dev.kudu4j.client.KuduSession;
import dev.kudu4j.client.KuduTable;
import dev.kudu4j.client.KuduTransaction;
import dev.kudu4j.client.Operation;
import dev.kudu4j.client.SessionConfiguration;
import dev.kudu4j.itest.support.Daemon;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Transactions, as the published client has them. Cases that end in {@code OnOurServers} need what
 * Apache Kudu does not have: changes of rows, and locks of keys instead of tablets.
 */
public abstract class TransactionCases extends ClientCase {
  /** Flags of the servers, so that silent transactions are soon aborted. */
  public static final List<String> FLAGS =
      List.of(
          "--txn_manager_enabled",
          "--txn_manager_status_table_num_replicas=1",
          "--txn_keepalive_interval_ms=2000",
          "--txn_staleness_tracker_interval_ms=100");

  /** Flags of Apache Kudu's servers: without the last one they begin transactions, and end none. */
  public static final List<String> PUBLISHED_FLAGS =
      Stream.concat(FLAGS.stream(), Stream.of("--enable_txn_system_client_init=true")).toList();

  /** Of the handles that tokens make. */
  private AsyncKuduClient asyncClient;

  @BeforeEach
  void connectAgain() {
    asyncClient = new AsyncKuduClient.AsyncKuduClientBuilder(cluster.masters()).build();
  }

  @AfterEach
  void closeAgain() throws Exception {
    asyncClient.close();
  }

  /** Writes the rows in the transaction; returns the outcomes. */
  private List<String> write(KuduTransaction transaction, Operation... operations)
      throws KuduException {
    KuduSession session = transaction.newKuduSession();
    session.setFlushMode(SessionConfiguration.FlushMode.MANUAL_FLUSH);
    for (Operation operation : operations) {
      session.apply(operation);
    }
    List<String> outcomes = outcomes(session.flush());
    session.close();
    return outcomes;
  }

  private static Operation insert(KuduTable table, int k, int v) {
    return op(table.newInsert(), "k", k, "v", v);
  }

  private KuduTransaction again(KuduTransaction transaction) throws IOException {
    return KuduTransaction.deserialize(transaction.serialize(), asyncClient);
  }

  /** A handle of a transaction that never began. */
  private KuduTransaction unknown() throws IOException {
    ByteArrayOutputStream token = new ByteArrayOutputStream();
    token.write(1 << 3); // field 1, a number
    token.write(
        new byte[] {(byte) 0xbf, (byte) 0x84, 0x3d}); // 999,999, the last id of the first tablet
    return KuduTransaction.deserialize(token.toByteArray(), asyncClient);
  }

  private static void notOpenForThisHandle(Attempt attempt) {
    assertThatThrownBy(attempt::run)
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("transaction is not open for this handle");
  }

  @Test
  void rowsOfTwoTablesAppearTogether() throws Exception {
    KuduTable first = create(keyAndValue(), twoTablets());
    KuduTable second = client.createTable(tableName + "2", keyAndValue(), oneTablet());
    KuduTransaction transaction = client.newTransaction();
    assertThat(write(transaction, insert(first, 1, 10), insert(first, 2, 20))).containsOnly("ok");
    assertThat(write(transaction, insert(first, 3, 30), insert(second, 1, 11))).containsOnly("ok");
    assertThat(scan(first)).isEmpty();
    assertThat(scan(second)).isEmpty();
    transaction.commit();
    assertThat(transaction.isCommitComplete()).isTrue();
    assertThat(scan(first)).containsExactlyInAnyOrder("1 10", "2 20", "3 30");
    assertThat(scan(second)).containsExactly("1 11");
  }

  @Test
  void rowsThatAreRolledBackNeverAppear() throws Exception {
    KuduTable table = createWith(new int[] {1, 1});
    KuduTransaction transaction = client.newTransaction();
    write(transaction, insert(table, 2, 2));
    transaction.rollback();
    assertThat(scan(table)).containsExactly("1 1");
    eventually("the key is free").until(() -> apply(insert(table, 2, 3)).contains("ok"));
    assertThat(scan(table)).containsExactlyInAnyOrder("1 1", "2 3");
  }

  @Test
  void emptyTransactionsEnd() throws Exception {
    KuduTransaction committed = client.newTransaction();
    committed.commit();
    assertThat(committed.isCommitComplete()).isTrue();
    KuduTransaction rolledBack = client.newTransaction();
    rolledBack.rollback();
    refused(rolledBack::isCommitComplete, "Aborted", "transaction ");
  }

  @Test
  void aHandleEndsItsTransactionOnce() throws Exception {
    KuduTransaction committed = client.newTransaction();
    committed.startCommit();
    notOpenForThisHandle(committed::startCommit);
    notOpenForThisHandle(committed::commit);
    notOpenForThisHandle(committed::rollback);
    notOpenForThisHandle(committed::newKuduSession);
    KuduTransaction rolledBack = client.newTransaction();
    rolledBack.rollback();
    notOpenForThisHandle(rolledBack::rollback);
  }

  @Test
  void otherHandlesMayRepeatTheEnd() throws Exception {
    KuduTransaction committed = client.newTransaction();
    committed.startCommit();
    again(committed).startCommit();
    again(committed).commit();
    assertThat(committed.isCommitComplete()).isTrue();
    KuduTransaction rolledBack = client.newTransaction();
    rolledBack.rollback();
    again(rolledBack).rollback();
  }

  @Test
  void aTransactionEndsInOneWay() throws Exception {
    KuduTransaction rolledBack = client.newTransaction();
    rolledBack.rollback();
    refused(again(rolledBack)::startCommit, "Illegal state", "is not open: state: ABORT");
    KuduTransaction committed = client.newTransaction();
    committed.commit();
    refused(again(committed)::rollback, "Illegal state", "cannot be aborted: state: COMMITTED");
  }

  @Test
  void anOpenTransactionIsNotComplete() throws Exception {
    try (KuduTransaction transaction = client.newTransaction()) {
      refused(transaction::isCommitComplete, "Illegal state", "transaction is still open");
      transaction.rollback();
    }
  }

  @Test
  void unknownTransactionsAreNotFound() throws Exception {
    client.newTransaction().rollback(); // so that the table of transactions exists
    refused(unknown()::startCommit, "Invalid argument", "transaction ID ", "not found");
    refused(unknown()::rollback, "Invalid argument", "transaction ID ", "not found");
    refused(unknown()::isCommitComplete, "Invalid argument", "transaction ID ", "not found");
  }

  @Test
  void severalClientsWriteInOneTransaction() throws Exception {
    KuduTable table = create(keyAndValue(), twoTablets());
    KuduTransaction transaction = client.newTransaction();
    write(transaction, insert(table, 1, 1));
    KuduTable sameTable = asyncClient.syncClient().openTable(tableName);
    assertThat(write(again(transaction), insert(sameTable, 2, 2))).containsExactly("ok");
    transaction.commit();
    assertThat(scan(table)).containsExactlyInAnyOrder("1 1", "2 2");
  }

  @Test
  void keysThatExistAreReportedWhenTheyAreWritten() throws Exception {
    KuduTable table = createWith(new int[] {1, 1});
    KuduTransaction transaction = client.newTransaction();
    assertThat(write(transaction, insert(table, 1, 2), insert(table, 2, 2)))
        .satisfiesExactly(
            first -> assertThat(first).startsWith("Already present"),
            second -> assertThat(second).isEqualTo("ok"));
    assertThat(write(transaction, insert(table, 2, 3)))
        .satisfiesExactly(again -> assertThat(again).startsWith("Already present"));
    transaction.commit();
    assertThat(scan(table)).containsExactlyInAnyOrder("1 1", "2 2");
  }

  @Test
  void silentTransactionsAreAborted() throws Exception {
    KuduTable table = create(keyAndValue(), oneTablet());
    KuduTransaction transaction = client.newTransaction();
    write(transaction, insert(table, 1, 1));
    transaction.close();
    eventually("the transaction is aborted").until(() -> isAborted(transaction));
    refused(transaction::startCommit, "Illegal state", "is not open: state: ABORT");
    transaction.rollback();
    assertThat(scan(table)).isEmpty();
  }

  private static boolean isAborted(KuduTransaction transaction) {
    try {
      return transaction.isCommitComplete();
    } catch (KuduException e) {
      return e.getStatus().isAborted();
    }
  }

  @Test
  void handlesKeepTransactionsAlive() throws Exception {
    KuduTransaction kept = client.newTransaction();
    KuduTransaction passedOn = client.newTransaction();
    byte[] token = passedOn.serialize();
    token[token.length - 1] = 1; // the last field, whether the handle sends signs of life
    KuduTransaction heir = KuduTransaction.deserialize(token, asyncClient);
    passedOn.close();
    KuduTransaction silent = client.newTransaction();
    silent.close();
    eventually("the silent one is aborted").until(() -> isAborted(silent));
    kept.commit();
    heir.commit();
  }

  @Test
  void manyTransactionsAreOpenAtOnce() throws Exception {
    List<KuduTransaction> open = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      open.add(client.newTransaction());
    }
    for (KuduTransaction transaction : open) {
      transaction.rollback();
    }
  }

  @Test
  void theTableOfTransactionsIsReadableAndHidden() throws Exception {
    client.newTransaction().rollback();
    assertThat(client.getTablesList().getTablesList())
        .doesNotContain("kudu_system.kudu_transactions");
    KuduTable states = client.openTable("kudu_system.kudu_transactions");
    assertThat(states.getSchema().getColumns())
        .extracting(column -> column.getName())
        .containsExactly("txn_id", "entry_type", "identifier", "metadata");
  }

  // What Apache Kudu does not have

  private void onOurServers() {
    assumeFalse(cluster.isPublished(), "Apache Kudu's transactions insert only");
  }

  @Test
  void rowsAreChangedTogetherOnOurServers() throws Exception {
    onOurServers();
    KuduTable table = createWith(rows(0, 6));
    KuduTransaction transaction = client.newTransaction();
    assertThat(
            write(
                transaction,
                op(table.newUpdate(), "k", 0, "v", 100),
                op(table.newUpsert(), "k", 1, "v", 101),
                op(table.newDelete(), "k", 2),
                op(table.newInsertIgnore(), "k", 3, "v", 103),
                op(table.newUpsert(), "k", 6, "v", 106)))
        .containsOnly("ok");
    assertThat(write(transaction, op(table.newUpdate(), "k", 2, "v", 0)))
        .satisfiesExactly(gone -> assertThat(gone).startsWith("Not found"));
    assertThat(scan(table)).hasSize(6).contains("0 0", "2 2");
    transaction.commit();
    assertThat(scan(table))
        .containsExactlyInAnyOrder("0 100", "1 101", "3 3", "4 4", "5 5", "6 106");
  }

  @Test
  void severalTransactionsWriteInOneTabletOnOurServers() throws Exception {
    onOurServers();
    KuduTable table = create(keyAndValue(), oneTablet());
    List<KuduTransaction> open = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      open.add(client.newTransaction());
      assertThat(write(open.get(i), insert(table, i, i))).containsExactly("ok");
    }
    for (int i = 9; i >= 0; i--) {
      if (i % 2 == 0) {
        open.get(i).commit();
      } else {
        open.get(i).rollback();
      }
    }
    assertThat(scan(table)).containsExactlyInAnyOrder("0 0", "2 2", "4 4", "6 6", "8 8");
  }

  @Test
  void theYoungerOfTwoTransactionsGivesWayOnOurServers() throws Exception {
    onOurServers();
    KuduTable table = createWith(rows(0, 2));
    KuduTransaction older = client.newTransaction();
    KuduTransaction younger = client.newTransaction();
    write(older, op(table.newUpdate(), "k", 0, "v", 10));
    assertThat(write(younger, op(table.newUpdate(), "k", 0, "v", 20)))
        .satisfiesExactly(
            refusal -> assertThat(refusal).startsWith("Aborted").contains("holds the key"));
    younger.rollback();
    older.commit();
    assertThat(scan(table)).containsExactlyInAnyOrder("0 10", "1 1");
  }

  @Test
  void writersOfAHeldKeyWaitOnOurServers() throws Exception {
    onOurServers();
    KuduTable table = createWith(rows(0, 2));
    KuduTransaction transaction = client.newTransaction();
    write(transaction, op(table.newUpdate(), "k", 0, "v", 10));
    CompletableFuture<List<String>> waiting =
        CompletableFuture.supplyAsync(
            () -> {
              try {
                return apply(op(table.newUpdate(), "k", 0, "v", 20));
              } catch (KuduException e) {
                throw new IllegalStateException(e);
              }
            });
    assertThat(apply(op(table.newUpdate(), "k", 1, "v", 11))).contains("ok");
    assertThat(waiting).isNotDone();
    transaction.commit();
    assertThat(waiting.get(1, TimeUnit.MINUTES)).contains("ok");
    assertThat(scan(table)).containsExactlyInAnyOrder("0 20", "1 11");
  }

  /** By the tablet if it has ended the transaction by then, otherwise by the coordinator. */
  @Test
  void rowsAfterTheEndAreRefusedOnOurServers() throws Exception {
    onOurServers();
    KuduTable table = create(keyAndValue(), oneTablet());
    KuduTransaction transaction = client.newTransaction();
    KuduSession session = transaction.newKuduSession();
    session.apply(insert(table, 1, 1));
    transaction.commit();
    assertThat(session.apply(insert(table, 2, 2)).getRowError().getErrorStatus().toString())
        .startsWith("Illegal state")
        .contains("not open");
    assertThat(scan(table)).containsExactly("1 1");
  }

  @Test
  void nobodyTakesTheNameOfTheTableOfTransactionsOnOurServers() throws Exception {
    onOurServers();
    KuduTable table = create(keyAndValue(), oneTablet());
    refused(
        () ->
            client.alterTable(
                table.getName(), alter().renameTable("kudu_system.kudu_transactions")),
        "Invalid argument",
        "reserved");
  }

  @Test
  void restartsOfServersEndNoTransactionOnOurServers() throws Exception {
    onOurServers();
    KuduTable table = create(keyAndValue(), twoTablets());
    KuduTransaction transaction = client.newTransaction();
    assertThat(write(transaction, insert(table, 1, 1), insert(table, 2, 2))).containsOnly("ok");
    restart();
    eventually("a client finds the tablets again")
        .until(() -> write(transaction, op(table.newUpsert(), "k", 3, "v", 3)).contains("ok"));
    transaction.startCommit();
    restart();
    eventually("the commit is complete").until(transaction::isCommitComplete);
    assertThat(scan(table)).containsExactlyInAnyOrder("1 1", "2 2", "3 3");
  }

  /** The calls of a transaction that a killed server may interrupt. */
  enum Call {
    BEGIN,
    WRITE,
    COMMIT,
    ROLLBACK
  }

  /** What a caller learns is true afterwards: all rows are there, or none. */
  @ParameterizedTest
  @EnumSource
  void serversMayDieInTheMiddleOfACall(Call call) throws Exception {
    KuduTable table = create(keyAndValue(), twoTablets());
    int key = 0;
    for (Daemon server : List.of(cluster.master(), cluster.tabletServer())) {
      key += 10;
      Operation[] rows = {insert(table, key, 1), insert(table, key + 1, 1), insert(table, -key, 1)};
      KuduTransaction transaction = call == Call.BEGIN ? null : client.newTransaction();
      if (call == Call.COMMIT || call == Call.ROLLBACK) {
        assertThat(write(transaction, rows)).containsOnly("ok");
      }
      CompletableFuture<Boolean> visible =
          CompletableFuture.supplyAsync(() -> carryOut(call, transaction, rows));
      LockSupport.parkNanos(new Random().nextInt(8_000_000)); // anywhere in the call
      server.kill();
      server.start();
      cluster.awaitTabletServers();
      boolean expected = visible.get(120, TimeUnit.SECONDS);
      List<String> found = scan(table);
      for (int k : List.of(key, key + 1, -key)) {
        assertThat(found.contains(k + " 1"))
            .as("%s, %s killed: %d is visible", call, server.name(), k)
            .isEqualTo(expected);
      }
    }
    KuduTransaction next = client.newTransaction();
    eventually("the keys are free")
        .until(() -> !write(next, insert(table, 10, 2)).contains("Aborted"));
    next.rollback();
  }

  /** Returns whether the rows are visible in the end. */
  private boolean carryOut(Call call, KuduTransaction begun, Operation... rows) {
    try (KuduTransaction transaction = begun == null ? client.newTransaction() : begun) {
      boolean commits = call != Call.ROLLBACK;
      if (call == Call.BEGIN || call == Call.WRITE) {
        commits = write(transaction, rows).stream().allMatch("ok"::equals);
      }
      return end(transaction, commits);
    } catch (IOException e) {
      return false; // it has not begun, or not taken all rows
    }
  }

  /** Ends a transaction, and makes sure how; returns whether it is committed. */
  private boolean end(KuduTransaction transaction, boolean commits) throws IOException {
    KuduTransaction handle = again(transaction);
    CompletableFuture<Boolean> end = new CompletableFuture<>();
    eventually("the transaction ends")
        .until(
            () -> {
              try {
                if (commits) {
                  handle.startCommit();
                } else {
                  handle.rollback();
                  end.complete(false);
                }
              } catch (KuduException | IllegalStateException e) {
                // begun before, or too late, or not known
              }
              try {
                if (handle.isCommitComplete()) {
                  end.complete(true);
                }
              } catch (KuduException e) {
                if (e.getStatus().isAborted() || e.getStatus().isInvalidArgument()) {
                  end.complete(false); // or lost before its first row
                }
              }
              return end.isDone();
            });
    return end.join();
  }

  /** Kills all servers, and starts them again. */
  private void restart() {
    cluster.tabletServer().kill();
    cluster.master().kill();
    cluster.master().start();
    cluster.tabletServer().start();
    cluster.awaitTabletServers();
  }
}
