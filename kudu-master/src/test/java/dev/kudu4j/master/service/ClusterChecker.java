package dev.kudu4j.master.service;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import dev.kudu4j.common.proto.consensus.RaftPeerPB;
import dev.kudu4j.common.proto.master.SysTablesEntryPB;
import dev.kudu4j.master.catalog.Catalog;
import dev.kudu4j.master.catalog.TableInfo;
import dev.kudu4j.master.catalog.TabletInfo;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;

/** Conditions that must hold when no more faults occur and enough time has passed. */
final class ClusterChecker {
  private ClusterChecker() {}

  /** Everything that was begun is complete, on every server, and the store equals memory. */
  static void checkSettled(FakeCluster cluster) {
    Catalog catalog = cluster.leadership.session().catalog();
    Map<String, Set<String>> wanted = new HashMap<>();
    for (TableInfo table : catalog.tables()) {
      if (table.isRemoved()) {
        checkWaitsForTheDead(
            cluster, table, table.recordedTablets().stream().flatMap(TabletInfo::holders));
        continue;
      }
      assertThat(table.state())
          .as("state of %s", table)
          .isIn(SysTablesEntryPB.State.RUNNING, SysTablesEntryPB.State.SOFT_DELETED);
      for (TabletInfo dropped : table.dropping()) {
        checkWaitsForTheDead(cluster, dropped, dropped.holders());
      }
      assertThat(table.tabletsInCreation()).as("tablets in creation of %s", table).isZero();
      checkPartitions(table);
      for (TabletInfo tablet : table.tablets()) {
        wanted.put(tablet.id(), FakeTabletServer.members(tablet.config()));
        checkReplicas(cluster, table, tablet);
      }
    }
    for (FakeTabletServer server : cluster.servers.values()) {
      if (cluster.dead.contains(server)) {
        continue;
      }
      for (String id : server.tombstones()) {
        assertThat(wanted).as("tablets of which %s has a tombstone", server.uuid()).containsKey(id);
        assertThat(wanted.get(id)).as("members of %s", id).doesNotContain(server.uuid());
      }
      for (String id : server.replicas().keySet()) {
        assertThat(wanted).as("tablets that %s may have", server.uuid()).containsKey(id);
        assertThat(wanted.get(id)).as("members of %s", id).contains(server.uuid());
      }
    }
    if (cluster.dead.isEmpty()) {
      assertThat(cluster.leadership.session().tables().pendingTasks()).isZero();
    }
    checkStore(cluster, catalog);
  }

  /** The record of a dropped object stays as long as a server may return with a replica of it. */
  private static void checkWaitsForTheDead(
      FakeCluster cluster, Object dropped, Stream<String> holders) {
    assertThat(holders.map(cluster.servers::get))
        .as("servers that %s waits for", dropped)
        .anyMatch(cluster.dead::contains);
  }

  /**
   * Checks that nothing waits for dead servers, after the operator has unregistered all of them.
   */
  static void checkNothingWaits(FakeCluster cluster) {
    for (TableInfo table : cluster.leadership.session().catalog().tables()) {
      assertThat(table.isRemoved()).as("%s is left to be dropped", table).isFalse();
      assertThat(table.dropping()).as("tablets dropped of %s", table).isEmpty();
      for (TabletInfo tablet : table.tablets()) {
        assertThat(tablet.nonMemberHolders().stream().map(cluster.servers::get))
            .as("servers that may have %s", tablet)
            .noneMatch(cluster.dead::contains);
      }
    }
    checkSettled(cluster);
  }

  private static void checkReplicas(FakeCluster cluster, TableInfo table, TabletInfo tablet) {
    assertThat(tablet.uncreated()).as("replicas to create of %s", tablet).isEmpty();
    assertThat(tablet.config().getPeersList())
        .as("members of %s", tablet)
        .hasSize(table.replicationFactor())
        .allMatch(peer -> peer.getMemberType() == RaftPeerPB.MemberType.VOTER);
    for (String member : FakeTabletServer.members(tablet.config())) {
      FakeTabletServer server = cluster.servers.get(member);
      assertThat(cluster.dead).as("servers that are gone").doesNotContain(server);
      FakeTabletServer.Replica replica = server.replicas().get(tablet.id());
      assertThat(replica).as("replica of %s on %s", tablet, member).isNotNull();
      assertThat(replica.view.schemaVersion()).isEqualTo(table.schemaVersion());
      assertThat(replica.view.schema()).isEqualTo(table.entry().getSchema());
    }
  }

  private static void checkPartitions(TableInfo table) {
    ByteString end = null;
    for (TabletInfo tablet : table.tablets()) {
      if (end != null) {
        assertThat(ByteString.unsignedLexicographicalComparator().compare(end, tablet.startKey()))
            .as("order of tablets of %s", table)
            .isLessThanOrEqualTo(0);
      }
      end = tablet.partition().getPartitionKeyEnd();
    }
  }

  private static void checkStore(FakeCluster cluster, Catalog catalog) {
    int before = cluster.store.entryCount();
    Catalog loaded = Catalog.load(cluster.store, new Random(1), 0, failure -> {});
    assertThat(cluster.store.entryCount()).as("entries after another load").isEqualTo(before);
    assertThat(loaded.clusterId()).isEqualTo(catalog.clusterId());
    assertThat(loaded.tables()).hasSameSizeAs(catalog.tables());
    Set<String> ids = new HashSet<>();
    for (TableInfo table : catalog.tables()) {
      assertThat(loaded.table(table.id()).entry()).isEqualTo(table.entry());
      for (TabletInfo tablet : table.recordedTablets()) {
        ids.add(tablet.id());
        assertThat(loaded.tablet(tablet.id()).entry()).isEqualTo(tablet.entry());
      }
      assertThat(loaded.table(table.id()).tablets()).hasSameSizeAs(table.tablets());
    }
    assertThat(cluster.store.entryCount())
        .isEqualTo(1 + catalog.tables().size() + ids.size() + catalog.specialServers().size());
  }
}
