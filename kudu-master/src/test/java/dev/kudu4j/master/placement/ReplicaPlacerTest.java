package dev.kudu4j.master.placement;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kudu4j.common.proto.cluster.TSHeartbeatRequestPB;
import dev.kudu4j.common.proto.common.HostPortPB;
import dev.kudu4j.common.proto.common.NodeInstancePB;
import dev.kudu4j.common.proto.common.ServerRegistrationPB;
import dev.kudu4j.master.catalog.Ids;
import dev.kudu4j.master.heartbeat.RegisteredServer;
import dev.kudu4j.master.heartbeat.ServerRegistry;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class ReplicaPlacerTest {
  /** Servers in the given locations, one for each name. */
  private static List<RegisteredServer> servers(String... locations) {
    ServerRegistry servers =
        new ServerRegistry(
            () -> 0, 60_000, host -> CompletableFuture.completedFuture(host.replaceAll("-.*", "")));
    List<RegisteredServer> all = new ArrayList<>();
    for (int i = 0; i < locations.length; i++) {
      String uuid = String.format("%032x", i + 1);
      NodeInstancePB instance =
          NodeInstancePB.newBuilder()
              .setPermanentUuid(Ids.toWire(uuid))
              .setInstanceSeqno(1)
              .build();
      ServerRegistrationPB registration =
          ServerRegistrationPB.newBuilder()
              .addRpcAddresses(
                  HostPortPB.newBuilder().setHost(locations[i] + "-" + i).setPort(7050))
              .build();
      all.add(
          servers.heartbeatArrived(
              TSHeartbeatRequestPB.newBuilder()
                  .setInstance(instance)
                  .setRegistration(registration)
                  .build(),
              InetAddress.getLoopbackAddress()));
    }
    return all;
  }

  private static Map<String, Long> byLocation(List<RegisteredServer> placed) {
    return placed.stream()
        .collect(Collectors.groupingBy(RegisteredServer::location, Collectors.counting()));
  }

  @Test
  void noLocationGetsAMajority() {
    List<RegisteredServer> all = servers("/a", "/a", "/a", "/a", "/b", "/b", "/c");
    ReplicaPlacer placer = new ReplicaPlacer(all, new Random(1));
    for (int i = 0; i < 200; i++) {
      assertThat(byLocation(placer.place(3)).values()).containsOnly(1L);
      assertThat(byLocation(placer.place(5)).values()).allMatch(count -> count <= 2);
    }
  }

  @Test
  void oneOfTwoLocationsMayHaveTheMajority() {
    ReplicaPlacer placer = new ReplicaPlacer(servers("/a", "/a", "/b", "/b"), new Random(1));
    for (int i = 0; i < 100; i++) {
      assertThat(byLocation(placer.place(3)).values()).containsExactlyInAnyOrder(1L, 2L);
    }
  }

  @Test
  void aReplacementGoesWhereItIsNeeded() {
    List<RegisteredServer> all = servers("/a", "/a", "/b", "/c");
    ReplicaPlacer placer = new ReplicaPlacer(all, new Random(1));
    for (int i = 0; i < 50; i++) {
      assertThat(placer.addTo(List.of(all.get(0), all.get(2)), 3)).contains(all.get(3));
    }
  }

  @Test
  void theFullestLocationLosesAReplicaFirst() {
    List<RegisteredServer> all = servers("/a", "/a", "/b", "/c");
    all.get(3).addPlaced(); // the fullest, but the only one in its location
    assertThat(ReplicaPlacer.leastWanted(all, all.subList(1, 4), 3, 3)).isSameAs(all.get(1));
    assertThat(ReplicaPlacer.leastWanted(all, all.subList(2, 4), 3, 3)).isSameAs(all.get(3));
  }

  @Test
  void withoutLocationsReplicasAreSpreadByLoad() {
    List<RegisteredServer> all = servers("", "", "", "", "");
    ReplicaPlacer placer = new ReplicaPlacer(all, new Random(1));
    for (int i = 0; i < 500; i++) {
      placer.place(3);
    }
    placer.commit();
    assertThat(all).allMatch(server -> Math.abs(server.load() - 300) < 30);
  }
}
