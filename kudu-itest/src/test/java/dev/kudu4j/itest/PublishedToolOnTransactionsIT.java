package dev.kudu4j.itest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kudu4j.client.KuduClient;
import dev.kudu4j.client.KuduSession;
import dev.kudu4j.client.KuduTransaction;
import dev.kudu4j.client.Operation;
import dev.kudu4j.common.proto.transactions.TxnTokenPB;
import dev.kudu4j.embedded.EmbeddedCluster;
import dev.kudu4j.itest.support.PublishedTool;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The published C++ tool lists and shows transactions of our servers. */
class PublishedToolOnTransactionsIT {
  private static final String USER = System.getProperty("user.name");

  private static EmbeddedCluster cluster;
  private static PublishedTool tool;
  private static String masters;
  private static long nextKey = -1; // loadgen's keys are not negative

  @BeforeAll
  static void start() {
    tool = PublishedTool.find();
    cluster = EmbeddedCluster.builder().masterFlag("--txn_manager_enabled").start();
    masters = cluster.masterAddresses();
    tool.succeed(
        "perf",
        "loadgen",
        masters,
        "--num_threads=1",
        "--num_rows_per_thread=1",
        "--table_num_hash_partitions=2",
        "--keep_auto_table");
  }

  @AfterAll
  static void stop() {
    if (cluster != null) {
      cluster.close();
    }
  }

  private static KuduTransaction begin() throws Exception {
    KuduClient client = cluster.client();
    KuduTransaction transaction = client.newTransaction();
    KuduSession session = transaction.newKuduSession();
    Operation insert = client.openTable(client.getTablesList().getTablesList().get(0)).newInsert();
    insert.getRow().addLong(0, nextKey--);
    insert.getRow().addInt(1, 0);
    insert.getRow().addString(2, "");
    session.apply(insert);
    session.close();
    return transaction;
  }

  private static String id(KuduTransaction transaction) throws Exception {
    return Long.toString(TxnTokenPB.parseFrom(transaction.serialize()).getTxnId());
  }

  @Test
  void anOpenTransactionIsListedAndShown() throws Exception {
    try (KuduTransaction transaction = begin()) {
      String id = id(transaction);
      String row = "(?m)^ *" + id + " +\\| " + USER + " +\\| OPEN ";
      assertThat(tool.succeed("txn", "list", masters)).containsPattern(row);
      assertThat(tool.succeed("txn", "show", masters, id))
          .containsPattern(row)
          .containsPattern("(?m)^ [0-9a-f]{32} \\| <none>");
      transaction.rollback();
    }
  }

  @Test
  void aCommittedTransactionIsShownWithItsTimestamp() throws Exception {
    try (KuduTransaction transaction = begin()) {
      String id = id(transaction);
      transaction.commit();
      assertThat(tool.succeed("txn", "list", masters, "--columns=txn_id"))
          .doesNotContainPattern("(?m)^ *" + id + " *$");
      assertThat(
              tool.succeed(
                  "txn",
                  "list",
                  masters,
                  "--included_states=committed",
                  "--columns=txn_id,state,commit_datetime"))
          .containsPattern("(?m)^ *" + id + " +\\| COMMITTED +\\| .*20\\d\\d");
      assertThat(tool.succeed("txn", "show", masters, id)).contains("COMMITTED");
    }
  }
}
