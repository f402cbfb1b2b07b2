package dev.kudu4j.master.service;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kudu4j.common.proto.cluster.AlterSchemaRequestPB;
import dev.kudu4j.common.proto.cluster.CreateTabletRequestPB;
import dev.kudu4j.common.proto.common.SchemaPB;
import dev.kudu4j.common.proto.common.TableExtraConfigPB;
import dev.kudu4j.common.proto.consensus.ChangeConfigRequestPB;
import dev.kudu4j.common.proto.consensus.ChangeConfigType;
import dev.kudu4j.common.proto.consensus.HealthReportPB;
import dev.kudu4j.common.proto.consensus.HealthReportPB.HealthStatus;
import dev.kudu4j.common.proto.consensus.RaftConfigPB;
import dev.kudu4j.common.proto.consensus.RaftPeerPB;
import dev.kudu4j.common.proto.consensus.RaftPeerPB.MemberType;
import dev.kudu4j.master.catalog.Ids;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The Raft group of one tablet: one log, with which every member's replica starts and which it
 * follows. It has a leader as long as most voters have their replica and are reachable; each new
 * leader has a new term. Its leader reports the health of the members, and makes a new member copy
 * the tablet and become a voter.
 */
final class FakeGroup {
  private static final long COPY_RETRY_MILLIS = 700;

  /** A replica's view of its group: the state of the group at one moment. */
  record View(
      long term,
      String leader,
      RaftConfigPB config,
      SchemaPB schema,
      int schemaVersion,
      TableExtraConfigPB extraConfig) {
    long configIndex() {
      return config.getOpidIndex();
    }
  }

  /** The values on which a view depends. */
  private record Told(
      long term, String leader, long configIndex, int schemaVersion, List<HealthStatus> healths) {}

  private final String tabletId;
  private final FakeCluster cluster;
  private final CreateTabletRequestPB creation;
  private final Map<String, RaftPeerPB> members = new LinkedHashMap<>();
  private final Map<String, Long> lastReachedNanos = new HashMap<>();
  private long term;
  private long configIndex = -1;
  private String leader = "";
  private SchemaPB schema;
  private int schemaVersion;
  private TableExtraConfigPB extraConfig;
  private Told lastTold;
  private View lastView;

  FakeGroup(CreateTabletRequestPB creation, FakeCluster cluster) {
    this.tabletId = creation.getTabletId().toStringUtf8();
    this.cluster = cluster;
    this.creation = creation;
    this.schema = creation.getSchema();
    this.schemaVersion = creation.getSchemaVersion();
    this.extraConfig = creation.getExtraConfig();
    creation
        .getConfig()
        .getPeersList()
        .forEach(peer -> members.put(Ids.fromWire(peer.getPermanentUuid()), peer));
  }

  /** Replicas of one group that start differently would never become equal. */
  void checkSameStart(CreateTabletRequestPB other) {
    assertThat(startOf(other)).as("start of %s", tabletId).isEqualTo(startOf(creation));
  }

  private static CreateTabletRequestPB startOf(CreateTabletRequestPB request) {
    return request.toBuilder()
        .setDestUuid(request.getTabletId())
        .clearDestInstanceSeqno()
        .clearTimestamp()
        .build();
  }

  /** The view of the reachable members. */
  View now() {
    lead();
    Told told = new Told(term, leader, configIndex, schemaVersion, healths());
    if (!told.equals(lastTold)) {
      lastTold = told;
      lastView = new View(term, leader, config(told), schema, schemaVersion, extraConfig);
    }
    return lastView;
  }

  private List<HealthStatus> healths() {
    List<HealthStatus> healths = new ArrayList<>(members.size());
    members.keySet().forEach(uuid -> healths.add(health(uuid)));
    return healths;
  }

  private RaftConfigPB config(Told told) {
    RaftConfigPB.Builder config = RaftConfigPB.newBuilder().setOpidIndex(configIndex);
    Iterator<HealthStatus> health = told.healths().iterator();
    members
        .values()
        .forEach(
            peer ->
                config.addPeers(
                    peer.toBuilder()
                        .setHealthReport(
                            HealthReportPB.newBuilder().setOverallHealth(health.next()))));
    return config.build();
  }

  private void lead() {
    if (!leader.isEmpty() && isReachable(leader) && hasMajority()) {
      return;
    }
    String elected = elect();
    if (!elected.isEmpty()) {
      takeOver(elected);
    }
    leader = elected;
  }

  private void takeOver(String elected) {
    term++;
    configIndex++;
    leader = elected;
    members.keySet().forEach(uuid -> lastReachedNanos.put(uuid, cluster.time.nanos()));
  }

  private String elect() {
    if (!hasMajority()) {
      return "";
    }
    return members.keySet().stream()
        .filter(uuid -> isVoter(uuid) && isReachable(uuid))
        .findFirst()
        .orElse("");
  }

  private boolean hasMajority() {
    long voters = members.keySet().stream().filter(this::isVoter).count();
    long reachable =
        members.keySet().stream().filter(uuid -> isVoter(uuid) && isReachable(uuid)).count();
    return reachable * 2 > voters;
  }

  private boolean isVoter(String uuid) {
    return members.get(uuid).getMemberType() == MemberType.VOTER;
  }

  private boolean isReachable(String uuid) {
    FakeTabletServer server = cluster.servers.get(uuid);
    return server.replicas().containsKey(tabletId) && !server.isSilent();
  }

  private HealthStatus health(String uuid) {
    if (isReachable(uuid)) {
      lastReachedNanos.put(uuid, cluster.time.nanos());
      return HealthStatus.HEALTHY;
    }
    long silent = cluster.time.nanos() - lastReachedNanos.getOrDefault(uuid, 0L);
    if (silent <= cluster.failedAfterNanos) {
      return HealthStatus.UNKNOWN;
    }
    FakeTabletServer server = cluster.servers.get(uuid);
    return server.isSilent() || !isVoter(uuid) || server.hasLeftToCreate(tabletId)
        ? HealthStatus.FAILED
        : HealthStatus.FAILED_UNRECOVERABLE;
  }

  /** The number of voters if all members are reachable voters, else 0. */
  int wholeVoters() {
    boolean whole = members.keySet().stream().allMatch(uuid -> isVoter(uuid) && isReachable(uuid));
    return whole ? members.size() : 0;
  }

  boolean isMember(String uuid) {
    return members.containsKey(uuid);
  }

  boolean isLedBy(String uuid) {
    lead();
    return leader.equals(uuid);
  }

  /** An alteration, logged by the leader. */
  void alter(AlterSchemaRequestPB request) {
    if (schemaVersion < request.getSchemaVersion()) {
      schema = request.getSchema();
      schemaVersion = request.getSchemaVersion();
      extraConfig = request.getExtraConfig();
    }
  }

  /** Changes the members; returns whether the request names the leader's current configuration. */
  boolean change(ChangeConfigRequestPB request) {
    if (request.getCasConfigOpidIndex() != configIndex) {
      return false;
    }
    String uuid = Ids.fromWire(request.getServer().getPermanentUuid());
    if (request.getType() == ChangeConfigType.ADD_PEER) {
      assertThat(members).as("members of %s", tabletId).doesNotContainKey(uuid);
      assertThat(request.getServer().getMemberType()).isEqualTo(MemberType.NON_VOTER);
      assertThat(request.getServer().getLastKnownAddr().getHost()).isNotEmpty();
      members.put(uuid, request.getServer());
      lastReachedNanos.put(uuid, cluster.time.nanos());
      cluster.time.after(cluster.copyMillis(), () -> copyTo(uuid));
    } else {
      assertThat(uuid).as("leader of %s is not removed", tabletId).isNotEqualTo(leader);
      assertThat(members.remove(uuid)).isNotNull();
    }
    configIndex++;
    return true;
  }

  /** The leader repeats the copy until it is complete. */
  private void copyTo(String uuid) {
    lead();
    if (!members.containsKey(uuid) || isVoter(uuid) || cluster.group(tabletId) != this) {
      return;
    }
    FakeTabletServer server = cluster.servers.get(uuid);
    if (leader.isEmpty() || server.isSilent() || cluster.losesAnswer()) {
      if (cluster.servers.values().stream().anyMatch(s -> s.replicas().containsKey(tabletId))) {
        cluster.time.after(COPY_RETRY_MILLIS, () -> copyTo(uuid));
      }
      return;
    }
    members.put(
        uuid, members.get(uuid).toBuilder().setMemberType(MemberType.VOTER).clearAttrs().build());
    configIndex++;
    server.copied(tabletId, this);
  }

  /** Another voter becomes leader, if possible. */
  boolean transfer(String successor) {
    if (!members.containsKey(successor) || !isVoter(successor) || !isReachable(successor)) {
      return false;
    }
    takeOver(successor);
    return true;
  }
}
