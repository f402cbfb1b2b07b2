package dev.kudu4j.embedded;

import static dev.kudu4j.common.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import com.google.protobuf.Message;
import com.google.protobuf.Parser;
import dev.kudu4j.common.Patience;
import dev.kudu4j.common.proto.common.HostPortPB;
import dev.kudu4j.common.proto.consensus.BulkChangeConfigRequestPB;
import dev.kudu4j.common.proto.consensus.BulkChangeConfigRequestPB.ConfigChangeItemPB;
import dev.kudu4j.common.proto.consensus.ChangeConfigResponsePB;
import dev.kudu4j.common.proto.consensus.ChangeConfigType;
import dev.kudu4j.common.proto.consensus.ConsensusStatePB;
import dev.kudu4j.common.proto.consensus.GetConsensusStateRequestPB;
import dev.kudu4j.common.proto.consensus.GetConsensusStateResponsePB;
import dev.kudu4j.common.proto.consensus.GetConsensusStateResponsePB.TabletConsensusInfoPB;
import dev.kudu4j.common.proto.consensus.RaftPeerAttrsPB;
import dev.kudu4j.common.proto.consensus.RaftPeerPB;
import dev.kudu4j.common.proto.tserver.TabletServerErrorPB;
import dev.kudu4j.common.rpc.RpcCallOptions;
import dev.kudu4j.common.rpc.RpcClient;
import dev.kudu4j.common.rpc.RpcClientOptions;
import dev.kudu4j.common.rpc.RpcResponse;
import dev.kudu4j.server.flags.HostPort;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A replica moves to another server. The test sends the RPCs of the tool, which mark the old
 * replica for replacement and add the new one; the servers do the rest.
 */
@Timeout(180)
class ReplicaMoveTest {
  private static final int SERVERS = 4;

  /**
   * Enough rows to write to every tablet: a leader that has written a row has committed an entry of
   * its term, and so accepts changes of the members.
   */
  private static final int ROWS_FOR_ALL_TABLETS = 10;

  private final RpcClient rpc = new RpcClient(RpcClientOptions.defaults());

  /** A tablet as its leader sees it. */
  private record Led(int leader, ByteString tablet, ConsensusStatePB state) {
    Set<String> members() {
      Set<String> members = new TreeSet<>();
      state
          .getCommittedConfig()
          .getPeersList()
          .forEach(peer -> members.add(peer.getPermanentUuid().toStringUtf8()));
      return members;
    }

    boolean hasOnlyVoters() {
      return state.getCommittedConfig().getPeersList().stream()
          .allMatch(peer -> peer.getMemberType() == RaftPeerPB.MemberType.VOTER);
    }
  }

  @Test
  void replicaMovesWhileTheTableIsWritten() throws Exception {
    try (rpc;
        EmbeddedCluster cluster =
            EmbeddedCluster.builder()
                .tabletServers(SERVERS)
                .replicationFactor(3)
                .flag("--leader_failure_max_missed_heartbeat_periods=9") // no unplanned elections
                .start()) {
      PeopleTable people = PeopleTable.create(cluster.client());
      int rows = 0;
      while (rows < ROWS_FOR_ALL_TABLETS) {
        people.insert(rows++, "before");
      }
      Led before = awaitLed(cluster, Optional.empty());
      String from = cluster.tabletServerUuid(memberBut(cluster, before));
      int to = stranger(cluster, before);
      assertThat(change(cluster, before, -5, from, to))
          .isEqualTo(TabletServerErrorPB.Code.CAS_FAILED);
      long index = before.state().getCommittedConfig().getOpidIndex();
      assertThat(change(cluster, before, index, from, to)).isNull();

      Set<String> wanted = new TreeSet<>(before.members());
      wanted.remove(from);
      wanted.add(cluster.tabletServerUuid(to));
      Led now = awaitLed(cluster, Optional.of(before.tablet()));
      while (!now.members().equals(wanted) || !now.hasOnlyVoters()) {
        people.insert(rows++, "meanwhile");
        now = awaitLed(cluster, Optional.of(before.tablet()));
      }
      people.insert(rows++, "after");
      assertThat(people.rows()).hasSize(rows);
    }
  }

  private static int stranger(EmbeddedCluster cluster, Led tablet) {
    for (int i = 0; i < SERVERS; i++) {
      if (!tablet.members().contains(cluster.tabletServerUuid(i))) {
        return i;
      }
    }
    throw new AssertionError("Every server has a replica: " + tablet);
  }

  private static int memberBut(EmbeddedCluster cluster, Led tablet) {
    for (int i = 0; i < SERVERS; i++) {
      if (i != tablet.leader() && tablet.members().contains(cluster.tabletServerUuid(i))) {
        return i;
      }
    }
    throw new AssertionError("Only the leader is a member: " + tablet);
  }

  /** The error code; null if the change was accepted. */
  private TabletServerErrorPB.Code change(
      EmbeddedCluster cluster, Led tablet, long casIndex, String from, int to) throws Exception {
    HostPort address = cluster.tabletServerAddress(to);
    RaftPeerPB replaced =
        RaftPeerPB.newBuilder()
            .setPermanentUuid(ByteString.copyFromUtf8(from))
            .setAttrs(RaftPeerAttrsPB.newBuilder().setReplace(true))
            .build();
    RaftPeerPB added =
        RaftPeerPB.newBuilder()
            .setPermanentUuid(ByteString.copyFromUtf8(cluster.tabletServerUuid(to)))
            .setMemberType(RaftPeerPB.MemberType.NON_VOTER)
            .setLastKnownAddr(
                HostPortPB.newBuilder().setHost(address.host()).setPort(address.port()))
            .setAttrs(RaftPeerAttrsPB.newBuilder().setPromote(true))
            .build();
    ChangeConfigResponsePB answer =
        call(
            cluster,
            tablet.leader(),
            "BulkChangeConfig",
            BulkChangeConfigRequestPB.newBuilder()
                .setTabletId(tablet.tablet())
                .setDestUuid(ByteString.copyFromUtf8(cluster.tabletServerUuid(tablet.leader())))
                .setCasConfigOpidIndex(casIndex)
                .addConfigChanges(item(ChangeConfigType.MODIFY_PEER, replaced))
                .addConfigChanges(item(ChangeConfigType.ADD_PEER, added))
                .build(),
            ChangeConfigResponsePB.parser());
    return answer.hasError() ? answer.getError().getCode() : null;
  }

  private static ConfigChangeItemPB item(ChangeConfigType type, RaftPeerPB peer) {
    return ConfigChangeItemPB.newBuilder().setType(type).setPeer(peer).build();
  }

  private Led awaitLed(EmbeddedCluster cluster, Optional<ByteString> tablet) {
    return await("a leader of the tablet")
        .pollInterval(Duration.ofMillis(20))
        .until(() -> led(cluster, tablet), Optional::isPresent)
        .orElseThrow();
  }

  private Optional<Led> led(EmbeddedCluster cluster, Optional<ByteString> tablet) throws Exception {
    return led(cluster).stream()
        .filter(led -> tablet.isEmpty() || led.tablet().equals(tablet.get()))
        .findFirst();
  }

  private List<Led> led(EmbeddedCluster cluster) throws Exception {
    List<Led> found = new ArrayList<>();
    for (int i = 0; i < SERVERS; i++) {
      GetConsensusStateResponsePB answer =
          call(
              cluster,
              i,
              "GetConsensusState",
              GetConsensusStateRequestPB.getDefaultInstance(),
              GetConsensusStateResponsePB.parser());
      for (TabletConsensusInfoPB tablet : answer.getTabletsList()) {
        if (tablet.getCstate().getLeaderUuid().equals(cluster.tabletServerUuid(i))) {
          found.add(new Led(i, tablet.getTabletId(), tablet.getCstate()));
        }
      }
    }
    return found;
  }

  private <T extends Message> T call(
      EmbeddedCluster cluster, int server, String method, Message request, Parser<T> parser)
      throws Exception {
    try (RpcResponse<T> response =
        rpc.call(
                cluster.tabletServerAddress(server).resolve(),
                "kudu.consensus.ConsensusService",
                method,
                request,
                parser,
                RpcCallOptions.timeoutMillis(60_000))
            .get(Patience.SECONDS, TimeUnit.SECONDS)) {
      return response.message();
    }
  }
}
