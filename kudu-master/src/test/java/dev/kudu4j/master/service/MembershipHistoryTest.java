package dev.kudu4j.master.service;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kudu4j.common.proto.master.TServerStateChangePB.StateChange;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.common.status.StatusCode;
import dev.kudu4j.master.catalog.TableInfo;
import dev.kudu4j.master.catalog.TabletInfo;
import dev.kudu4j.master.tables.RebalancingOptions;
import dev.kudu4j.master.tables.TablesOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.GenerationMode;
import net.jqwik.api.Property;
import net.jqwik.api.Tag;
import net.jqwik.api.constraints.LongRange;

/**
 * Servers die permanently, one at a time, while factors change, servers are drained, calls are lost
 * and masters crash: at the end every tablet has all its replicas on live servers, and no server
 * has a replica that it should not have.
 */
class MembershipHistoryTest {
  private static final int SERVERS = 7;
  private static final int LARGEST_FACTOR = 3;
  private static final int STEPS = 25;
  private static final TablesOptions DEFAULT = TablesOptions.DEFAULT;
  private static final TablesOptions EVEN =
      DEFAULT.withRebalancing(new RebalancingOptions(true, 5_000, 2, true, 5_000, 10));

  /**
   * After a death no requests are sent for this long. A group that is just shrinking from three to
   * one has two voters for a moment, and does not survive if one of them is dead undetected.
   */
  private static final long NOTICED_MILLIS = 7_000;

  @Property(tries = 30, generation = GenerationMode.EXHAUSTIVE)
  void theseHistoriesEndAtFullReplication(@ForAll @LongRange(min = 1, max = 30) long number) {
    anyHistory((number * 0x9E3779B97F4A7C15L) >>> 24);
  }

  @Property(tries = 20)
  void anyHistoryEndsAtFullReplication(@ForAll @LongRange(min = 0, max = 1L << 40) long seed) {
    anyHistory(seed);
  }

  @Property(tries = 2000)
  @Tag("nightly")
  void anyOfManyHistoriesEndsAtFullReplication(
      @ForAll @LongRange(min = 0, max = 1L << 40) long seed) {
    anyHistory(seed);
  }

  private static void anyHistory(long seed) {
    History history = new History(seed);
    for (int i = 0; i < STEPS; i++) {
      history.step();
    }
    history.heal();
    ClusterChecker.checkSettled(history.cluster);
    history.forgetTheDead();
    ClusterChecker.checkNothingWaits(history.cluster);
  }

  @Example
  void aLostServersReplicasAreReplaced() {
    FakeCluster cluster = new FakeCluster(4, 5);
    cluster.tables.createTable(Requests.create("t", 3, 8).build(), "alice");
    cluster.time.pass(3_000);
    FakeTabletServer lost = cluster.servers.values().iterator().next();
    assertThat(lost.replicas()).isNotEmpty();
    cluster.kill(lost);
    cluster.time.pass(60_000);
    ClusterChecker.checkSettled(cluster);
  }

  @Example
  void theFactorOfAnExistingTableIsRaisedAndLowered() {
    FakeCluster cluster = new FakeCluster(5, 6);
    cluster.tables.createTable(Requests.create("t", 3, 4).build(), "alice");
    cluster.time.pass(3_000);
    for (int factor : List.of(5, 3, 1, 3)) {
      cluster.tables.alterTable(Requests.alter("t").setNumReplicas(factor).build());
      cluster.time.pass(60_000);
      ClusterChecker.checkSettled(cluster);
      for (TabletInfo tablet : table(cluster).tablets()) {
        assertThat(tablet.members()).hasSize(factor);
      }
    }
  }

  @Example
  void aServerInMaintenanceKeepsItsReplicasAndGetsNoNewOnes() {
    FakeCluster cluster = new FakeCluster(4, 7);
    cluster.tables.createTable(Requests.create("t", 3, 8).build(), "alice");
    cluster.time.pass(3_000);
    FakeTabletServer away = cluster.servers.values().iterator().next();
    int replicas = away.replicas().size();
    cluster.change(away, StateChange.ENTER_MAINTENANCE_MODE);
    away.setSilent(true);
    cluster.crashMaster();
    cluster.time.pass(50_000);
    assertThat(table(cluster).tablets().stream().filter(t -> t.isMember(away.uuid())))
        .hasSize(replicas);
    away.setSilent(false);
    cluster.tables.createTable(Requests.create("u", 3, 8).build(), "alice");
    cluster.time.pass(10_000);
    assertThat(away.replicas()).hasSize(replicas);
    cluster.change(away, StateChange.EXIT_MAINTENANCE_MODE);
    ClusterChecker.checkSettled(cluster);
  }

  @Example
  void aDecommissionedServerEndsUpEmptyThoughItLeads() {
    FakeCluster cluster = new FakeCluster(4, 8);
    cluster.tables.createTable(Requests.create("t", 3, 8).build(), "alice");
    cluster.tables.createTable(Requests.create("u", 1, 8).build(), "alice");
    cluster.time.pass(3_000);
    FakeTabletServer leaving = cluster.servers.values().iterator().next();
    cluster.change(leaving, StateChange.DECOMMISSION);
    cluster.time.pass(100_000);
    assertThat(leaving.replicas()).isEmpty();
    ClusterChecker.checkSettled(cluster);
  }

  @Example
  void aNewServerGetsItsShare() {
    FakeCluster cluster = new FakeCluster(4, 9, EVEN);
    FakeTabletServer late = cluster.servers.values().iterator().next();
    cluster.change(late, StateChange.ENTER_MAINTENANCE_MODE);
    cluster.tables.createTable(Requests.create("t", 3, 8).build(), "alice");
    cluster.time.pass(3_000);
    assertThat(late.replicas()).isEmpty();
    cluster.change(late, StateChange.EXIT_MAINTENANCE_MODE);
    cluster.time.pass(200_000);
    cluster
        .servers
        .values()
        .forEach(server -> assertThat(server.replicas()).as(server.uuid()).hasSize(6));
    ClusterChecker.checkSettled(cluster);
  }

  private static TableInfo table(FakeCluster cluster) {
    return cluster.leadership.session().catalog().tableByName("t");
  }

  private static final class History {
    final Random random;
    final FakeCluster cluster;
    int tables;

    History(long seed) {
      random = new Random(seed);
      cluster = new FakeCluster(SERVERS, seed, random.nextBoolean() ? EVEN : DEFAULT);
      cluster.setFaultRate(random.nextInt(3) * 0.1);
      create();
      create();
    }

    void step() {
      if (random.nextInt(8) == 0) {
        cluster.store.failAfterChanges(random.nextInt(3));
      }
      try {
        request();
      } catch (KuduException e) {
        assertThat(e.getMessage()).isNotEmpty();
      }
      if (random.nextInt(6) == 0) {
        cluster.crashMaster();
      }
      if (random.nextInt(6) == 0) {
        anyServer().restart();
      }
      if (random.nextInt(5) == 0 && silent() == 0) {
        anyServer().setSilent(true);
      }
      cluster.time.pass(List.of(0, 30, 700, 5_000, 20_000).get(random.nextInt(5)));
      if (random.nextInt(2) == 0) {
        revive();
      }
      if (random.nextInt(4) == 0 && living() > LARGEST_FACTOR + 1 && isWhole()) {
        cluster.kill(anyServer());
        cluster.time.pass(NOTICED_MILLIS);
      }
    }

    private void request() {
      String name = "t" + random.nextInt(Math.max(1, tables));
      switch (random.nextInt(8)) {
        case 2 -> cluster.change(anyServer(), StateChange.ENTER_MAINTENANCE_MODE);
        case 3 -> cluster.change(anyServer(), StateChange.DECOMMISSION);
        case 4 -> cluster.change(anyServer(), StateChange.EXIT_MAINTENANCE_MODE);
        case 0 -> create();
        case 1 -> cluster.tables.deleteTable(Requests.delete(name));
        default ->
            cluster.tables.alterTable(
                Requests.alter(name).setNumReplicas(1 + 2 * random.nextInt(2)).build());
      }
    }

    private void create() {
      int factor = random.nextInt(4) == 0 ? 1 : 3;
      String name = "t" + tables++;
      cluster.tables.createTable(
          Requests.create(name, factor, 2 + random.nextInt(2)).build(), "user");
    }

    private FakeTabletServer anyServer() {
      List<FakeTabletServer> living =
          cluster.servers.values().stream().filter(s -> !cluster.dead.contains(s)).toList();
      return living.get(random.nextInt(living.size()));
    }

    private long living() {
      return (long) cluster.servers.size() - cluster.dead.size();
    }

    private long silent() {
      return cluster.servers.values().stream()
          .filter(s -> s.isSilent() && !cluster.dead.contains(s))
          .count();
    }

    private void revive() {
      cluster.servers.values().stream()
          .filter(server -> !cluster.dead.contains(server))
          .forEach(server -> server.setSilent(false));
    }

    /** Whether any one server may be lost: its tablets have other complete replicas. */
    private boolean isWhole() {
      if (silent() > 0 || cluster.leadership.current().isEmpty()) {
        return false;
      }
      var session = cluster.leadership.session();
      for (TableInfo table : session.catalog().tables()) {
        for (TabletInfo tablet : table.tablets()) {
          boolean whole =
              table.isRemoved()
                  || (tablet.isRunning()
                      && table.replicationFactor() >= LARGEST_FACTOR
                      && cluster.group(tablet.id()).wholeVoters() >= LARGEST_FACTOR
                      && !cluster.mayChangeMembers(tablet.id()));
          if (!whole) {
            return false;
          }
        }
      }
      return true;
    }

    /** Unregisters the dead servers, in part with a new master that has not seen all of them. */
    void forgetTheDead() {
      for (FakeTabletServer server : cluster.dead) {
        if (random.nextInt(3) == 0) {
          cluster.crashMaster();
          cluster.time.pass(1_000);
        }
        try {
          cluster.unregister(server);
        } catch (KuduException e) {
          assertThat(e.code()).isEqualTo(StatusCode.NOT_FOUND);
        }
      }
      cluster.time.pass(100_000);
    }

    void heal() {
      cluster.store.heal();
      cluster.setFaultRate(0);
      revive();
      List<FakeTabletServer> drained = new ArrayList<>();
      for (FakeTabletServer server : cluster.servers.values()) {
        boolean spare = living() - drained.size() > LARGEST_FACTOR + 1;
        boolean drains = spare && random.nextInt(4) == 0 && !cluster.dead.contains(server);
        if (drains) {
          drained.add(server);
        }
        cluster.change(
            server, drains ? StateChange.DECOMMISSION : StateChange.EXIT_MAINTENANCE_MODE);
      }
      cluster.time.pass(400_000);
      drained.forEach(server -> assertThat(server.replicas()).as(server.uuid()).isEmpty());
    }
  }
}
