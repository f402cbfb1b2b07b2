package dev.kudu4j.tools.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import dev.kudu4j.common.proto.consensus.ConsensusStatePB;
import dev.kudu4j.common.proto.consensus.RaftConfigPB;
import dev.kudu4j.common.proto.consensus.RaftPeerPB;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class CatalogConsensusStatesTest {
  private static ServerState master(String uuid, Map<String, ConsensusStatePB> consensus) {
    return new ServerState(
        uuid, uuid + ":7051", ServerHealth.HEALTHY, "", "1", "FOLLOWER", "", Map.of(), consensus);
  }

  private static ServerState saying(String uuid, String leader, String... voters) {
    RaftConfigPB.Builder config = RaftConfigPB.newBuilder();
    for (String voter : voters) {
      config.addPeers(RaftPeerPB.newBuilder().setPermanentUuid(ByteString.copyFromUtf8(voter)));
    }
    ConsensusStatePB state =
        ConsensusStatePB.newBuilder()
            .setCurrentTerm(1)
            .setLeaderUuid(leader)
            .setCommittedConfig(config)
            .build();
    return master(uuid, Map.of(CatalogConsensusStates.CATALOG, state));
  }

  @Test
  void mastersWithTheSameMembersAgreeInAnyOrder() {
    CatalogConsensusStates states =
        CatalogConsensusStates.of(
            List.of(saying("a", "a", "a", "b", "c"), saying("b", "a", "c", "b", "a")));
    assertThat(states.agree()).isTrue();
  }

  @Test
  void mastersOfTwoLeadersDisagree() {
    CatalogConsensusStates states =
        CatalogConsensusStates.of(List.of(saying("a", "a", "a", "b"), saying("b", "b", "a", "b")));
    assertThat(states.agree()).isFalse();
    assertThat(states.byMaster().values()).containsExactly("a leads a, b", "b leads a, b");
  }

  @Test
  void mastersOfTwoGroupsDisagree() {
    CatalogConsensusStates states =
        CatalogConsensusStates.of(List.of(saying("a", "a", "a", "b"), saying("b", "a", "a")));
    assertThat(states.agree()).isFalse();
  }

  @Test
  void aMasterWithoutAReportDoesNotDisagree() {
    CatalogConsensusStates states =
        CatalogConsensusStates.of(List.of(saying("a", "a", "a"), master("b", Map.of())));
    assertThat(states.agree()).isTrue();
  }
}
