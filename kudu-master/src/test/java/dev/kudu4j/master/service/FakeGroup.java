package dev.kudu4j.master.service;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kudu4j.common.proto.cluster.AlterSchemaRequestPB;
import dev.kudu4j.common.proto.cluster.CreateTabletRequestPB;
import dev.kudu4j.common.proto.common.SchemaPB;
import dev.kudu4j.common.proto.common.TableExtraConfigPB;

/**
 * The Raft group of one tablet: one log, which every member's replica starts with and follows. It
 * has a leader as long as most members have their replica and can be reached; another leader means
 * another term.
 */
final class FakeGroup {
  /** What a replica knows of its group: what the group was at one moment. */
  record View(
      long term,
      long configIndex,
      String leader,
      SchemaPB schema,
      int schemaVersion,
      TableExtraConfigPB extraConfig) {}

  private final String tabletId;
  private final FakeCluster cluster;
  private final CreateTabletRequestPB creation;
  private View view;

  FakeGroup(CreateTabletRequestPB creation, FakeCluster cluster) {
    this.tabletId = creation.getTabletId().toStringUtf8();
    this.cluster = cluster;
    this.creation = creation;
    this.view =
        new View(
            0,
            -1,
            "",
            creation.getSchema(),
            creation.getSchemaVersion(),
            creation.getExtraConfig());
  }

  /** Replicas of one group that start differently would never become the same. */
  void checkSameStart(CreateTabletRequestPB other) {
    assertThat(startOf(other)).as("start of %s", tabletId).isEqualTo(startOf(creation));
  }

  private static CreateTabletRequestPB startOf(CreateTabletRequestPB request) {
    return request.toBuilder().setDestUuid(request.getTabletId()).clearDestInstanceSeqno().build();
  }

  /** What the members that can be reached know. */
  View now() {
    String leader =
        view.leader().isEmpty() || !isReachable(view.leader()) ? elect() : view.leader();
    if (!leader.equals(view.leader())) {
      long later = leader.isEmpty() ? 0 : 1;
      view =
          new View(
              view.term() + later,
              view.configIndex() + later,
              leader,
              view.schema(),
              view.schemaVersion(),
              view.extraConfig());
    }
    return view;
  }

  private String elect() {
    String first = "";
    int reachable = 0;
    for (FakeTabletServer member : cluster.membersOf(creation.getConfig())) {
      if (isReachable(member.uuid())) {
        first = first.isEmpty() ? member.uuid() : first;
        reachable++;
      }
    }
    return reachable * 2 > creation.getConfig().getPeersCount() ? first : "";
  }

  private boolean isReachable(String uuid) {
    FakeTabletServer server = cluster.servers.get(uuid);
    return server.replicas().containsKey(tabletId) && !server.isSilent();
  }

  boolean isLedBy(String uuid) {
    return now().leader().equals(uuid);
  }

  /** Logged by the leader. */
  void alter(AlterSchemaRequestPB request) {
    View before = now();
    if (before.schemaVersion() < request.getSchemaVersion()) {
      view =
          new View(
              before.term(),
              before.configIndex(),
              before.leader(),
              request.getSchema(),
              request.getSchemaVersion(),
              request.getExtraConfig());
    }
  }
}
