package dev.kudu4j.spark.procedure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.kudu4j.client.KuduClient;
import dev.kudu4j.client.KuduException;
import dev.kudu4j.client.KuduRebalancing;
import dev.kudu4j.embedded.EmbeddedCluster;
import dev.kudu4j.spark.KuduCatalog;
import dev.kudu4j.spark.SparkOnKudu;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * CALL k.system.rebalance() on a cluster with a new server, whose master moves nothing by itself.
 */
@Timeout(300)
class RebalanceTest {
  @RegisterExtension static final SparkOnKudu KUDU = new SparkOnKudu();

  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final int NEW_SERVER = 3;
  private static final int TABLETS = 16; // of two tables

  /** A quarter of the replicas. */
  private static final int SHARE = TABLETS * 3 / 4;

  private static EmbeddedCluster cluster;
  private static KuduClient impatient;

  @BeforeAll
  static void start() {
    cluster =
        EmbeddedCluster.builder()
            .tabletServers(4)
            .replicationFactor(3)
            .masterFlag("--auto_rebalancing_enabled=false")
            .masterFlag("--auto_leader_rebalancing_enabled=false")
            .start();
    impatient =
        new KuduClient.KuduClientBuilder(cluster.masterAddresses())
            .defaultAdminOperationTimeoutMs(500)
            .build();
    KUDU.spark().conf().set("spark.sql.catalog.grown", KuduCatalog.class.getName());
    KUDU.spark().conf().set("spark.sql.catalog.grown.kudu.master", cluster.masterAddresses());
  }

  @AfterAll
  static void stop() throws KuduException {
    impatient.close();
    cluster.close();
  }

  private static Dataset<Row> sql(String text) {
    return KUDU.spark().sql(text);
  }

  private static List<Row> rebalance(String arguments) {
    return sql("CALL grown.system.rebalance(" + arguments + ")").collectAsList();
  }

  /** The number of replicas by the address of the server. */
  private static Map<String, Integer> distribution() {
    Map<String, Integer> counts = new TreeMap<>();
    for (String table : List.of("a", "b")) {
      for (Row tablet : sql("CALL grown.system.partitions('d." + table + "')").collectAsList()) {
        tablet.<String>getList(4).forEach(server -> counts.merge(server, 1, Integer::sum));
      }
    }
    return counts;
  }

  private static String newServer() {
    return cluster.tabletServerAddress(NEW_SERVER).toString();
  }

  /** The tablet, source and target of moves. */
  private static Set<String> moves(List<Row> rows) {
    Set<String> moves = new HashSet<>();
    rows.forEach(
        row -> moves.add(row.getString(0) + " " + row.getString(2) + " " + row.getString(3)));
    return moves;
  }

  @Test
  void aNewServerGetsItsShare() throws Exception {
    cluster.stopTabletServer(NEW_SERVER);
    String silent = cluster.tabletServerUuid(NEW_SERVER);
    await("the master notices that the server is silent")
        .atMost(PATIENCE)
        .untilAsserted(
            () ->
                assertThatThrownBy(() -> impatient.rebalance(5).poll())
                    .hasMessageContaining("No replica is moved while a tablet server is silent")
                    .hasMessageContaining(silent)
                    .hasMessageContaining(newServer()));
    for (String table : List.of("a", "b")) {
      sql(
          "CREATE TABLE grown.d."
              + table
              + " (id INT, PRIMARY KEY (id)) PARTITIONED BY (bucket(8, id))");
    }
    sql("INSERT INTO grown.d.a SELECT CAST(id AS INT) FROM range(1000)");
    cluster.startTabletServer(NEW_SERVER);
    KuduRebalancing report = impatient.rebalance(5);
    await("all tablets can be moved")
        .atMost(PATIENCE)
        .ignoreExceptions()
        .until(() -> report.plan().size() == SHARE && report.unmovableTablets() == 0);

    List<Row> planned = rebalance("report_only => true");
    assertThat(planned)
        .hasSize(SHARE)
        .allSatisfy(
            move -> {
              assertThat(move.getString(1)).isIn("d.a", "d.b");
              assertThat(move.getString(3)).isEqualTo(newServer());
              assertThat(move.getString(4)).isEqualTo("table");
              assertThat(move.getString(5)).isEqualTo("planned");
            });
    assertThat(distribution()).doesNotContainKey(newServer()).hasSize(3);

    List<Row> first = rebalance("max_moves_per_server => 1, max_run_time_sec => 1");
    assertThat(first).as("begun in a second, one after another").hasSizeBetween(1, SHARE - 1);
    List<Row> rest = rebalance("max_moves_per_server => 3");
    assertThat(rest).allMatch(move -> move.getString(5).equals("ended"));
    Set<String> all = moves(first);
    all.addAll(moves(rest));
    assertThat(all).hasSize(SHARE);
    assertThat(distribution().values()).containsOnly(SHARE).hasSize(4);
    assertThat(rebalance("")).as("nothing is left to move").isEmpty();
    assertThat(sql("SELECT id FROM grown.d.a").count()).isEqualTo(1000);
  }

  @Test
  void argumentsAreChecked() {
    assertThatThrownBy(() -> rebalance("max_moves_per_server => 0"))
        .hasStackTraceContaining("At least 1 move from or to a server has to be allowed, not 0");
    assertThatThrownBy(() -> rebalance("max_run_time_sec => -1"))
        .hasStackTraceContaining("max_run_time_sec must not be negative: -1");
    assertThatThrownBy(() -> rebalance("report_only => NULL"))
        .hasStackTraceContaining("needs a value of parameter report_only");
  }
}
