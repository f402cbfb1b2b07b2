package dev.kudu4j.tools.transaction;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.awaitility.Awaitility.await;

import dev.kudu4j.client.KuduSession;
import dev.kudu4j.client.KuduTable;
import dev.kudu4j.client.KuduTransaction;
import dev.kudu4j.client.Upsert;
import dev.kudu4j.common.proto.transactions.TxnTokenPB;
import dev.kudu4j.common.time.HybridTime;
import dev.kudu4j.embedded.EmbeddedCluster;
import dev.kudu4j.tools.KuduRun;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;

/** The life of transactions, as the verbs show it. */
@Timeout(300)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class TransactionVerbsTest {
  private static final String USER = System.getProperty("user.name");
  private static final String TIME = "\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\dZ";

  private static EmbeddedCluster cluster;

  @BeforeAll
  static void start() {
    cluster =
        EmbeddedCluster.builder().tabletServers(1).masterFlag("--txn_manager_enabled").start();
    done("table", "create", masters(), "orders", "--columns=id int64 key", "--hash=id:2");
  }

  @AfterAll
  static void stop() {
    cluster.close();
  }

  private static String masters() {
    return cluster.masterAddresses();
  }

  private static KuduRun run(String verb, Object... arguments) {
    Object[] all = new Object[arguments.length + 3];
    all[0] = "txn";
    all[1] = verb;
    all[2] = masters();
    System.arraycopy(arguments, 0, all, 3, arguments.length);
    return KuduRun.of(all);
  }

  private static String done(Object... arguments) {
    KuduRun run = KuduRun.of(arguments);
    assertThat(run.exitCode()).as(run.out() + run.err()).isZero();
    return run.out();
  }

  private static String list(Object... arguments) {
    KuduRun run = run("list", arguments);
    assertThat(run.exitCode()).as(run.out() + run.err()).isZero();
    return run.out();
  }

  private static String show(long id, Object... arguments) {
    Object[] all = new Object[arguments.length + 1];
    all[0] = id;
    System.arraycopy(arguments, 0, all, 1, arguments.length);
    KuduRun run = run("show", all);
    assertThat(run.exitCode()).as(run.out() + run.err()).isZero();
    return run.out();
  }

  private static void failed(KuduRun run, String... texts) {
    assertThat(run.exitCode()).as(run.out()).isEqualTo(1);
    assertThat(run.err()).contains(texts);
  }

  private static long id(KuduTransaction transaction) throws Exception {
    return TxnTokenPB.parseFrom(transaction.serialize()).getTxnId();
  }

  /** Begins a transaction with rows in both tablets. */
  private static KuduTransaction begin(int rows) throws Exception {
    KuduTransaction transaction = cluster.client().newTransaction();
    KuduTable table = cluster.client().openTable("orders");
    KuduSession session = transaction.newKuduSession();
    for (long id = 0; id < rows; id++) {
      Upsert upsert = table.newUpsert();
      upsert.getRow().addLong("id", id);
      session.apply(upsert);
    }
    session.close();
    return transaction;
  }

  private static void awaitState(long id, String state) {
    await("transaction " + id + " is " + state)
        .atMost(Duration.ofMinutes(1))
        .until(() -> show(id, "--format=csv", "--columns=state").contains(state + "\n"));
  }

  @Test
  @Order(1)
  void aClusterWithoutTransactions() {
    KuduRun listed = run("list", "--format=json");
    assertThat(listed.exitCode()).as(listed.err()).isZero();
    assertThat(listed.out().strip()).isEqualTo("[]");
    assertThat(listed.err()).contains("has had no transactions", "--txn_manager_enabled");
    failed(run("show", 0), "has had no transactions", "--txn_manager_enabled");
    failed(run("abort", 0), "has had no transactions", "--txn_manager_enabled");
  }

  @Test
  @Order(2)
  void aTransactionIsListedShownAndAborted() throws Exception {
    long id = id(begin(50));
    String row = id + "," + USER + ",OPEN,," + TIME + "," + TIME + "\n";
    assertThat(list("--format=csv"))
        .matches(
            "txn_id,user,state,commit_datetime,start_datetime,last_transition_datetime\n" + row);

    assertThat(show(id))
        .containsPattern(" " + id + " +\\| " + USER + " +\\| OPEN ")
        .containsPattern("[0-9a-f]{32} \\| orders +\\| 127.0.0.1:\\d+\n");
    assertThat(show(id, "--format=space", "--columns=participant_tablet_id").lines())
        .hasSize(2)
        .allSatisfy(tablet -> assertThat(done("tablet", "info", masters(), tablet)).contains("L"));

    failed(runAs("somebody", () -> run("abort", id)), "belongs to user '" + USER + "'", "somebody");
    assertThat(run("abort", id).out()).contains("Transaction " + id + " is aborted");
    awaitState(id, "ABORTED");
    assertThat(list("--format=space")).isEmpty();
    assertThat(list("--format=space", "--included_states=aborted")).startsWith(id + " ");
    assertThat(run("abort", id).exitCode()).as("abort again").isZero();
  }

  private interface Call {
    KuduRun run();
  }

  private static KuduRun runAs(String user, Call call) {
    System.setProperty("user.name", user);
    try {
      return call.run();
    } finally {
      System.setProperty("user.name", USER);
    }
  }

  @Test
  @Order(3)
  void aCommittedTransactionHasATimestamp() throws Exception {
    KuduTransaction transaction = begin(1);
    transaction.commit();
    long id = id(transaction);
    String[] cells =
        list(
                "--included_states=*",
                "--min_txn_id=" + id,
                "--columns=state,commit_hybridtime,commit_datetime",
                "--format=csv")
            .lines()
            .reduce((first, last) -> last)
            .orElseThrow()
            .split(",", -1);
    assertThat(cells[0]).isEqualTo("COMMITTED");
    assertThat(HybridTime.micros(Long.parseLong(cells[1])))
        .isCloseTo(System.currentTimeMillis() * 1000, within(60_000_000L));
    assertThat(cells[2]).matches("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{6}Z");
    failed(run("abort", id), "cannot be aborted", "COMMITTED");
  }

  @Test
  @Order(4)
  void theListIsFilteredByIdAndState() throws Exception {
    try (KuduTransaction first = begin(0);
        KuduTransaction second = begin(0)) {
      assertThat(list("--format=space", "--columns=txn_id").lines())
          .containsExactly("" + id(first), "" + id(second));
      assertThat(list("--format=space", "--columns=txn_id", "--max_txn_id=" + id(first)).lines())
          .containsExactly("" + id(first));
      assertThat(list("--format=space", "-min_txn_id=" + id(second), "-columns=txn_id").lines())
          .containsExactly("" + id(second));
      assertThat(list("--format=space", "--included_states=commit_in_progress")).isEmpty();
      assertThat(show(id(first))).contains("No tablet has rows of the transaction");
      first.rollback();
      second.rollback();
    }
  }

  @Test
  @Order(5)
  void theTableOfAParticipantMayBeDropped() throws Exception {
    done("table", "create", masters(), "short_lived", "--columns=id int64 key", "--hash=id:2");
    KuduTransaction transaction = cluster.client().newTransaction();
    KuduSession session = transaction.newKuduSession();
    Upsert upsert = cluster.client().openTable("short_lived").newUpsert();
    upsert.getRow().addLong("id", 1);
    session.apply(upsert);
    session.close();
    done("table", "delete", masters(), "short_lived");
    assertThat(show(id(transaction), "--format=json"))
        .contains("\"participant_table_name\":null", "\"participant_leader\":null");
    transaction.rollback();
  }

  @Test
  @Order(6)
  void argumentsAreChecked() {
    failed(run("show", "first"), "'first' is not the id of a transaction");
    failed(run("show", 999_999), "no transaction 999999", "kudu txn list");
    failed(run("abort", 999_999), "no transaction 999999");
    failed(run("list", "--included_states=done"), "no state 'done'", "open, aborted");
    failed(run("list", "--columns=participant_leader"), "kudu txn show");
  }
}
