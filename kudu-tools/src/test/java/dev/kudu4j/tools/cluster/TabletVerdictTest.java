package dev.kudu4j.tools.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import dev.kudu4j.common.proto.consensus.ConsensusStatePB;
import dev.kudu4j.common.proto.consensus.RaftConfigPB;
import dev.kudu4j.common.proto.consensus.RaftPeerPB;
import dev.kudu4j.common.proto.tablet.TabletDataState;
import dev.kudu4j.common.proto.tablet.TabletStatePB;
import dev.kudu4j.common.proto.tablet.TabletStatusPB;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TabletVerdictTest {
  private static final String TABLET = "t";
  private static final List<String> ALL = List.of("a", "b", "c");

  private final Map<String, ServerState> servers = new LinkedHashMap<>();

  private void up(String uuid, TabletStatePB state, String leader, long term, List<String> voters) {
    RaftConfigPB.Builder config = RaftConfigPB.newBuilder();
    voters.forEach(
        voter ->
            config.addPeers(
                RaftPeerPB.newBuilder()
                    .setPermanentUuid(ByteString.copyFromUtf8(voter))
                    .setMemberType(RaftPeerPB.MemberType.VOTER)));
    servers.put(
        uuid,
        new ServerState(
            uuid,
            uuid + ":1",
            ServerHealth.HEALTHY,
            "",
            "",
            "",
            "",
            Map.of(TABLET, status(state, TabletDataState.TABLET_DATA_READY)),
            Map.of(
                TABLET,
                ConsensusStatePB.newBuilder()
                    .setCurrentTerm(term)
                    .setLeaderUuid(leader)
                    .setCommittedConfig(config)
                    .build())));
  }

  private void up(String uuid) {
    up(uuid, TabletStatePB.RUNNING, "a", 1, ALL);
  }

  private void down(String uuid) {
    servers.put(
        uuid,
        new ServerState(
            uuid, uuid + ":1", ServerHealth.UNAVAILABLE, "x", "", "", "", Map.of(), Map.of()));
  }

  private static TabletStatusPB status(TabletStatePB state, TabletDataState data) {
    return TabletStatusPB.newBuilder()
        .setTabletId(TABLET)
        .setTableName("table")
        .setState(state)
        .setTabletDataState(data)
        .setLastStatus("")
        .build();
  }

  private TabletVerdict judge(List<String> replicas) {
    TableState.TabletState tablet =
        new TableState.TabletState(
            TABLET,
            replicas.stream()
                .map(uuid -> new TableState.Placement(uuid, uuid.equals("a"), true))
                .toList());
    TableState table = new TableState("id", "table", 3, null, List.of(tablet), "");
    return TabletVerdict.of(table, tablet, servers);
  }

  @Test
  void aTabletWhoseReplicasRunAndAgreeIsHealthy() {
    ALL.forEach(this::up);
    assertThat(judge(ALL).health()).isEqualTo(TabletHealth.HEALTHY);
    assertThat(judge(ALL).leader()).isEqualTo("a");
  }

  @Test
  void aTabletWithOneStoppedReplicaIsUnderReplicated() {
    up("a");
    up("b");
    down("c");
    assertThat(judge(ALL).health()).isEqualTo(TabletHealth.UNDER_REPLICATED);
    assertThat(judge(ALL).reason()).isEqualTo("1 replica(s) not RUNNING");
  }

  @Test
  void aTabletWithoutARunningMajorityIsUnavailable() {
    up("a");
    down("b");
    down("c");
    assertThat(judge(ALL).health()).isEqualTo(TabletHealth.UNAVAILABLE);
  }

  @Test
  void aTabletWithoutALeaderIsUnavailable() {
    ALL.forEach(uuid -> up(uuid, TabletStatePB.RUNNING, "", 2, ALL));
    assertThat(judge(ALL).health()).isEqualTo(TabletHealth.UNAVAILABLE);
    assertThat(judge(ALL).reason()).isEqualTo("no replica is the leader");
  }

  @Test
  void aReplicaThatStartsIsRecovering() {
    up("a");
    up("b");
    up("c", TabletStatePB.BOOTSTRAPPING, "", 0, ALL);
    assertThat(judge(ALL).health()).isEqualTo(TabletHealth.RECOVERING);
  }

  @Test
  void differentConfigurationsOrLeadersAreAMismatch() {
    up("a");
    up("b");
    up("c", TabletStatePB.RUNNING, "a", 1, List.of("a", "b", "d"));
    assertThat(judge(ALL).health()).isEqualTo(TabletHealth.CONSENSUS_MISMATCH);
    up("c", TabletStatePB.RUNNING, "b", 2, ALL);
    assertThat(judge(ALL).leader()).as("the highest term counts").isEqualTo("b");
    assertThat(judge(ALL).health()).isEqualTo(TabletHealth.CONSENSUS_MISMATCH);
  }

  @Test
  void aTabletWithTooFewReplicasIsUnderReplicated() {
    up("a", TabletStatePB.RUNNING, "a", 1, List.of("a"));
    assertThat(judge(List.of("a")).health()).isEqualTo(TabletHealth.UNDER_REPLICATED);
    assertThat(judge(List.of("a")).reason()).isEqualTo("1 replicas of 3");
    assertThat(judge(List.of()).health()).isEqualTo(TabletHealth.UNAVAILABLE);
  }

  @Test
  void aReplicaThatItsServerDoesNotHaveIsMissing() {
    up("a");
    up("b");
    servers.put(
        "c", new ServerState("c", "c:1", ServerHealth.HEALTHY, "", "", "", "", Map.of(), Map.of()));
    assertThat(judge(ALL).health()).isEqualTo(TabletHealth.UNDER_REPLICATED);
    assertThat(judge(ALL).replicas().get(2).state()).isEqualTo("missing");
  }
}
