package dev.kudu4j.embedded;

import static dev.kudu4j.common.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.server.flags.HostPort;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.Map;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
class EmbeddedClusterTest {
  @Test
  void aClusterServesAndLeavesNoDirectory() throws Exception {
    Path directory;
    try (EmbeddedCluster cluster = EmbeddedCluster.builder().start()) {
      PeopleTable people = PeopleTable.create(cluster.client());
      people.insert(1, "Ada");
      assertThat(people.rows()).containsExactly(Map.entry(1L, "Ada"));
      assertThat(people.replicas()).isEqualTo(1);
      directory = cluster.directory();
      assertThat(directory).isDirectory();
    }
    assertThat(directory).doesNotExist();
  }

  @Test
  void aRestartOnTheSameDirectoryKeepsTheData(@TempDir Path directory) throws Exception {
    EmbeddedCluster.Builder builder =
        EmbeddedCluster.builder().directory(directory).tabletServers(2);
    try (EmbeddedCluster cluster = builder.start()) {
      PeopleTable people = PeopleTable.create(cluster.client());
      people.insert(1, "Ada");
      people.insert(2, "Grace");
    }
    try (EmbeddedCluster cluster = builder.start()) {
      PeopleTable people = PeopleTable.open(cluster.client());
      people.insert(3, "Barbara");
      assertThat(people.rows()).containsOnlyKeys(1L, 2L, 3L);
    }
    assertThat(directory).isDirectory();
  }

  @Test
  void oneOfThreeTabletServersMayStopAndRestart() throws Exception {
    try (EmbeddedCluster cluster = EmbeddedCluster.builder().tabletServers(3).start()) {
      PeopleTable people = PeopleTable.create(cluster.client());
      assertThat(people.replicas()).isEqualTo(3);
      people.insert(0, "nobody stopped");
      for (int stopped = 0; stopped < 3; stopped++) {
        HostPort address = cluster.tabletServerAddress(stopped);
        String uuid = cluster.tabletServerUuid(stopped);
        cluster.stopTabletServer(stopped);
        assertThat(cluster.isTabletServerRunning(stopped)).isFalse();
        assertFree(address.port());
        people.insert(stopped + 1, "without " + stopped);
        cluster.startTabletServer(stopped);
        assertThat(cluster.isTabletServerRunning(stopped)).isTrue();
        assertThat(cluster.tabletServerAddress(stopped)).isEqualTo(address);
        assertThat(cluster.tabletServerUuid(stopped)).isEqualTo(uuid);
      }
      assertThat(people.rows()).containsOnlyKeys(0L, 1L, 2L, 3L);
    }
  }

  @Test
  void oneOfThreeMastersMayStopAndRestart(@TempDir Path directory) throws Exception {
    EmbeddedCluster.Builder builder = EmbeddedCluster.builder().directory(directory).masters(3);
    try (EmbeddedCluster cluster = builder.start()) {
      assertThat(cluster.masterAddresses().split(",")).hasSize(3);
      PeopleTable people = PeopleTable.create(cluster.client());
      people.insert(1, "with three");
      int leader = awaitLeader(cluster);
      cluster.stopMaster(leader);
      assertThat(cluster.isMasterRunning(leader)).isFalse();
      PeopleTable.open(cluster.client()).insert(2, "with two");
      assertThat(awaitLeader(cluster)).isNotEqualTo(leader);
      assertThat(PeopleTable.create(cluster.client(), "others").rows()).isEmpty();
      cluster.startMaster(leader);
      int next = awaitLeader(cluster);
      cluster.stopMaster(next);
      assertThat(cluster.client().getTablesList().getTablesList()).hasSize(2);
    }
    try (EmbeddedCluster cluster = builder.start()) {
      assertThat(PeopleTable.open(cluster.client()).rows()).containsOnlyKeys(1L, 2L);
    }
  }

  private static int awaitLeader(EmbeddedCluster cluster) {
    return await("one master leads")
        .until(cluster::leadingMaster, OptionalInt::isPresent)
        .getAsInt();
  }

  @Test
  void clustersInOneJvmAreIndependent() throws Exception {
    try (EmbeddedCluster one = EmbeddedCluster.builder().start();
        EmbeddedCluster other = EmbeddedCluster.builder().start()) {
      PeopleTable.create(one.client()).insert(1, "one");
      PeopleTable.create(other.client()).insert(2, "other");
      assertThat(PeopleTable.open(one.client()).rows()).containsOnlyKeys(1L);
      assertThat(PeopleTable.open(other.client()).rows()).containsOnlyKeys(2L);
    }
  }

  @Test
  void webPagesAreServedOnRequest() throws Exception {
    try (EmbeddedCluster cluster = EmbeddedCluster.builder().webPages(true).start()) {
      assertThat(cluster.webAddresses()).hasSize(2);
      for (HostPort address : cluster.webAddresses()) {
        HttpRequest request =
            HttpRequest.newBuilder(URI.create("http://" + address + "/healthz")).build();
        HttpResponse<String> answer =
            HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());
        assertThat(answer.statusCode()).isEqualTo(200);
      }
    }
  }

  @Test
  void anOccupiedPortIsReportedAndNothingIsLeftBehind(@TempDir Path directory) throws Exception {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
      ClusterPorts ports = new ClusterPorts(0, 0, taken.getLocalPort(), 0);
      EmbeddedCluster.Builder builder = EmbeddedCluster.builder().directory(directory).ports(ports);
      assertThatThrownBy(builder::start)
          .isInstanceOf(KuduException.class)
          .hasMessageContaining("tablet server 0")
          .hasMessageContaining(Integer.toString(taken.getLocalPort()));
    }
    try (EmbeddedCluster cluster = EmbeddedCluster.builder().directory(directory).start()) {
      assertThat(cluster.tabletServerCount()).isEqualTo(1);
    }
  }

  @Test
  void aDirectoryInUseIsRefused(@TempDir Path directory) {
    EmbeddedCluster.Builder builder = EmbeddedCluster.builder().directory(directory);
    try (EmbeddedCluster running = builder.start()) {
      assertThat(running.masterAddresses()).isNotEmpty();
      assertThatThrownBy(builder::start)
          .isInstanceOf(KuduException.class)
          .hasMessageContaining("in use");
    }
  }

  @Test
  void flagsReachTheServers() {
    EmbeddedCluster.Builder wrong = EmbeddedCluster.builder().tabletServerFlag("--no_such_flag=1");
    assertThatThrownBy(wrong::start).hasMessageContaining("no_such_flag");
    try (EmbeddedCluster cluster =
        EmbeddedCluster.builder().flag("--raft_heartbeat_interval_ms=100").start()) {
      assertThat(cluster.isTabletServerRunning(0)).isTrue();
    }
  }

  @Test
  void aSecondCloseDoesNothing() {
    EmbeddedCluster cluster = EmbeddedCluster.builder().start();
    cluster.close();
    cluster.close();
    assertThatThrownBy(cluster::client).hasMessageContaining("closed");
    assertThatThrownBy(() -> cluster.startTabletServer(0)).hasMessageContaining("closed");
  }

  @Test
  void invalidClusterOptionsAreRejected() {
    assertThatThrownBy(EmbeddedCluster.builder().tabletServers(0)::start)
        .hasMessageContaining("1 to 50");
    assertThatThrownBy(EmbeddedCluster.builder().tabletServers(1).replicationFactor(3)::start)
        .hasMessageContaining("needs as many tablet servers");
    assertThatThrownBy(EmbeddedCluster.builder().tabletServers(3).replicationFactor(2)::start)
        .hasMessageContaining("odd");
    ClusterPorts clash = new ClusterPorts(7150, 0, 7050, 0);
    assertThatThrownBy(EmbeddedCluster.builder().tabletServers(2).ports(clash)::start)
        .hasMessageContaining("7150");
    try (EmbeddedCluster cluster = EmbeddedCluster.builder().start()) {
      assertThatThrownBy(() -> cluster.stopTabletServer(1)).hasMessageContaining("counted from 0");
    }
  }

  private static void assertFree(int port) throws IOException {
    try (ServerSocket socket = new ServerSocket()) {
      socket.setReuseAddress(true);
      socket.bind(new InetSocketAddress("127.0.0.1", port));
    }
  }
}
