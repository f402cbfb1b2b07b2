package dev.kudu4j.itest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kudu4j.client.KuduClient;
import dev.kudu4j.client.KuduSession;
import dev.kudu4j.client.KuduTransaction;
import dev.kudu4j.client.Operation;
import dev.kudu4j.common.proto.transactions.TxnTokenPB;
import dev.kudu4j.itest.suite.TransactionCases;
import dev.kudu4j.itest.support.PublishedCluster;
import dev.kudu4j.tools.Kudu;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Our tool manages Apache Kudu's servers. */
class OurToolOnPublishedServersIT {
  @TempDir static Path directory;
  private static PublishedCluster cluster;

  private record Run(int exitCode, String output) {}

  @BeforeAll
  static void start() {
    cluster =
        new PublishedCluster(directory, TransactionCases.PUBLISHED_FLAGS.toArray(String[]::new))
            .start();
    Run created = kudu("table", "create", "t", "--columns=id int64 key, v string", "--hash=id:3");
    assertThat(created.exitCode()).as(created.output()).isZero();
  }

  @AfterAll
  static void stop() {
    if (cluster != null) {
      cluster.close();
    }
  }

  /** Runs {@code kudu MODE VERB MASTERS REST...}. */
  private static Run kudu(String mode, String verb, String... rest) {
    String[] words = new String[rest.length + 3];
    words[0] = mode;
    words[1] = verb;
    words[2] = cluster.masters();
    System.arraycopy(rest, 0, words, 3, rest.length);
    StringWriter output = new StringWriter();
    PrintWriter writer = new PrintWriter(output, true);
    int exitCode = Kudu.commandLine().setOut(writer).setErr(writer).execute(words);
    return new Run(exitCode, output.toString());
  }

  @Test
  void healthyServersAreReportedHealthy() {
    Run run = kudu("cluster", "ksck", "--checksum_scan");
    assertThat(run.exitCode()).as(run.output()).isZero();
    assertThat(run.output())
        .contains("All 3 tablets are healthy", "the replicas of each tablet are equal")
        .endsWith("OK\n");
  }

  /** A value that these servers do not report is empty, or null in JSON. */
  @Test
  void aScanIsExplainedAsFarAsTheServersReportIt() {
    Run run = kudu("table", "scan", "t", "--explain", "--format=json", "--row_count_only");
    assertThat(run.exitCode()).as(run.output()).isZero();
    assertThat(run.output())
        .contains(
            "\"tablet\":\"*\"",
            "\"pages\":null",
            "\"returned\":0",
            "3 of 3 tablets read\n",
            "Apache Kudu's servers report bytes and times only; what they skipped is unknown")
        .doesNotContain("\"disk_bytes\":null");
  }

  @Test
  void aTabletIsLocated() {
    String tablet =
        kudu("table", "list", "--list_tablets", "--format=space").output().split(" ", -1)[1];
    Run run = kudu("tablet", "info", tablet, "--format=space");
    assertThat(run.exitCode()).as(run.output()).isZero();
    assertThat(run.output()).startsWith(tablet + " t ").endsWith(" L\n");
  }

  @Test
  void transactionsAreListedShownAndAborted() throws Exception {
    try (KuduClient client = new KuduClient.KuduClientBuilder(cluster.masters()).build();
        KuduTransaction transaction = client.newTransaction()) {
      KuduSession session = transaction.newKuduSession();
      Operation insert = client.openTable("t").newInsert();
      insert.getRow().addLong("id", 1);
      insert.getRow().addString("v", "one");
      session.apply(insert);
      session.close();
      String id = Long.toString(TxnTokenPB.parseFrom(transaction.serialize()).getTxnId());
      assertThat(kudu("txn", "list", "--format=space", "--columns=txn_id,state").output())
          .contains(id + " OPEN\n");
      assertThat(kudu("txn", "show", id).output()).containsPattern("[0-9a-f]{32} \\| t +\\| 127");
      Run aborted = kudu("txn", "abort", id);
      assertThat(aborted.exitCode()).as(aborted.output()).isZero();
      assertThat(kudu("txn", "show", id, "--format=csv", "--columns=state").output())
          .contains("ABORT");
    }
  }
}
