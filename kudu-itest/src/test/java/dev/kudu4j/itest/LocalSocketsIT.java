package dev.kudu4j.itest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.kudu4j.client.KuduClient;
import dev.kudu4j.client.KuduException;
import dev.kudu4j.client.KuduScanner;
import dev.kudu4j.client.KuduTable;
import dev.kudu4j.itest.support.LocalCluster;
import dev.kudu4j.itest.support.Metrics;
import dev.kudu4j.itest.support.PublishedTool;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The Unix-domain socket of a tablet server: the published C++ client uses it with its flag, our
 * client by default, and both go on over TCP when the socket is gone.
 */
class LocalSocketsIT {
  private static final int ROWS = 2_000;

  @TempDir static Path directory;
  private static LocalCluster cluster;
  private static PublishedTool tool;
  private static String table;

  @BeforeAll
  static void start() throws IOException {
    tool = PublishedTool.find();
    Path flags = Files.createFile(directory.resolve("flags"));
    cluster = new LocalCluster(directory, "--flagfile=" + flags).start();
    tool.succeed(
        "perf",
        "loadgen",
        cluster.masters(),
        "--num_rows_per_thread=" + ROWS,
        "--num_threads=1",
        "--table_num_replicas=1",
        "--keep_auto_table");
    table = tool.succeed("table", "list", cluster.masters()).strip();
  }

  @AfterAll
  static void stop() {
    if (cluster != null) {
      cluster.close();
    }
  }

  private static double localConnections() throws IOException {
    return Metrics.of(cluster.tabletServer())
        .sum("kudu_server_rpc_connections_accepted_unix_domain_socket_total", "");
  }

  @Test
  void thePublishedClientUsesTheSocketWithItsFlag() throws Exception {
    double before = localConnections();
    assertThat(countWithTool()).contains("Total count " + ROWS);
    assertThat(localConnections()).isEqualTo(before);
    assertThat(countWithTool("--client_use_unix_domain_sockets", "--unlock_experimental_flags"))
        .contains("Total count " + ROWS);
    assertThat(localConnections()).isGreaterThan(before);
  }

  private static String countWithTool(String... flags) {
    return tool.succeed(
        Stream.concat(Stream.of("table", "scan", cluster.masters(), table), Stream.of(flags))
            .toArray(String[]::new));
  }

  @Test
  void ourClientUsesTheSocketUnlessTheOptionIsOff() throws Exception {
    double before = localConnections();
    try (KuduClient tcp =
        new KuduClient.KuduClientBuilder(cluster.masters()).localSockets(false).build()) {
      assertThat(count(tcp)).isEqualTo(ROWS);
      assertThat(localConnections()).isEqualTo(before);
    }
    try (KuduClient client = new KuduClient.KuduClientBuilder(cluster.masters()).build()) {
      assertThat(count(client)).isEqualTo(ROWS);
      assertThat(localConnections()).isGreaterThan(before);
    }
  }

  /** The server loses its socket and gets it back; the client's calls go on. */
  @Test
  void ourClientUsesTcpWhileTheSocketIsMissing() throws Exception {
    try (KuduClient client = new KuduClient.KuduClientBuilder(cluster.masters()).build()) {
      assertThat(count(client)).isEqualTo(ROWS);
      restartTabletServer("--rpc_listen_on_unix_domain_socket=false");
      assertThat(count(client)).isEqualTo(ROWS);
      assertThat(localConnections()).isZero();
      restartTabletServer("");
      await("the client tries the socket again")
          .atMost(Duration.ofMinutes(2))
          .until(() -> count(client) == ROWS && localConnections() > 0);
    }
  }

  private static void restartTabletServer(String flags) throws IOException {
    cluster.tabletServer().kill();
    Files.writeString(directory.resolve("flags"), flags);
    cluster.tabletServer().start();
    cluster.awaitTabletServers();
  }

  private static long count(KuduClient client) throws KuduException {
    KuduTable opened = client.openTable(table);
    long rows = 0;
    KuduScanner scanner = client.newScannerBuilder(opened).build();
    while (scanner.hasMoreRows()) {
      rows += scanner.nextRows().getNumRows();
    }
    return rows;
  }
}
