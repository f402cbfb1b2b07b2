package dev.kudu4j.tserver;

import static dev.kudu4j.common.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import dev.kudu4j.common.proto.consensus.ChangeConfigRequestPB;
import dev.kudu4j.common.proto.consensus.ChangeConfigResponsePB;
import dev.kudu4j.common.proto.consensus.ChangeConfigType;
import dev.kudu4j.common.proto.consensus.RaftPeerAttrsPB;
import dev.kudu4j.common.proto.consensus.RaftPeerPB;
import dev.kudu4j.common.proto.consensus.StartTabletCopyResponsePB;
import dev.kudu4j.common.proto.tablet.TabletDataState;
import dev.kudu4j.common.proto.tablet.TabletStatePB;
import dev.kudu4j.common.proto.tserver.TabletServerErrorPB;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.server.replica.members.ConsensusView;
import dev.kudu4j.server.rpc.ServerIdentity;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Copies that become members of the tablet's group, without a master. */
@Timeout(180)
class CopyIntoGroupTest {
  @TempDir Path directory;
  private final List<CopyServer> servers = new ArrayList<>();

  @AfterEach
  void stop() {
    servers.forEach(CopyServer::close);
  }

  /**
   * A server with long election timeouts, so that the leader keeps the leadership if the machine
   * pauses.
   */
  private CopyServer newServer() {
    CopyServer server =
        new CopyServer(
            directory.resolve("server-" + servers.size()),
            "--leader_failure_max_missed_heartbeat_periods=9");
    servers.add(server);
    return server;
  }

  private static void add(CopyServer leader, CopyServer newcomer) {
    ChangeConfigResponsePB answer =
        await("no other change is under way") // a visible change ends a moment later
            .until(() -> askToAdd(leader, newcomer), told -> !isRefusedForNow(told));
    assertThat(answer.hasError()).as(answer.toString()).isFalse();
    await().until(() -> isVoter(leader, newcomer));
  }

  private static boolean isRefusedForNow(ChangeConfigResponsePB answer) {
    return answer.getError().getStatus().getMessage().contains("only one is allowed at a time");
  }

  private static ChangeConfigResponsePB askToAdd(CopyServer leader, CopyServer newcomer) {
    return leader.ask(
        CopyServer.CONSENSUS,
        "ChangeConfig",
        ChangeConfigRequestPB.newBuilder()
            .setDestUuid(ByteString.copyFromUtf8(leader.uuid()))
            .setTabletId(CopyServer.tabletId())
            .setType(ChangeConfigType.ADD_PEER)
            .setServer(
                RaftPeerPB.newBuilder()
                    .setPermanentUuid(ByteString.copyFromUtf8(newcomer.uuid()))
                    .setMemberType(RaftPeerPB.MemberType.NON_VOTER)
                    .setAttrs(RaftPeerAttrsPB.newBuilder().setPromote(true))
                    .setLastKnownAddr(
                        ServerIdentity.toWire(
                            newcomer.server().process().identity().rpcAddresses().get(0))))
            .build(),
        ChangeConfigResponsePB.parser());
  }

  private static boolean isVoter(CopyServer leader, CopyServer member) {
    return leader.tablet().replica().consensus().members().stream()
        .filter(ConsensusView.Member::voter)
        .anyMatch(other -> other.serverUuid().equals(member.uuid()));
  }

  private static boolean hasAll(CopyServer follower, CopyServer leader) {
    return follower.tablet().tablet().applied().equals(leader.tablet().tablet().applied());
  }

  @Test
  void oneReplicaBecomesThreeDuringWritesAndAFailedReplicaIsReplaced() throws Exception {
    CopyServer leader = newServer();
    leader.createTablet();
    for (int i = 0; i < 3; i++) {
      leader.insert(300 * i, 300 * (i + 1));
      leader.flush();
    }
    CopyServer second = newServer();
    CopyServer third = newServer();
    AtomicBoolean done = new AtomicBoolean();
    AtomicInteger written = new AtomicInteger(900);
    AtomicInteger failures = new AtomicInteger();
    Thread writer =
        new Thread(
            () -> {
              while (!done.get()) {
                var answer = leader.insert(written.get(), written.get() + 10);
                failures.addAndGet(answer.hasError() ? 1 : answer.getPerRowErrorsCount());
                written.addAndGet(10);
              }
            });
    writer.start();
    try {
      add(leader, second);
      add(leader, third);
    } finally {
      done.set(true);
      writer.join();
    }
    assertThat(failures).hasValue(0);
    await().until(() -> hasAll(second, leader) && hasAll(third, leader));
    assertThat(leader.content().rows()).isEqualTo(written.get());
    assertThat(second.content()).isEqualTo(leader.content());
    assertThat(third.content()).isEqualTo(leader.content());

    third.tablet().replica().failIfCorrupt(KuduException.corruption("a page is corrupt"));
    assertThat(third.status().getState()).isEqualTo(TabletStatePB.FAILED);
    leader.insert(100_000, 100_010); // two of three are a majority
    StartTabletCopyResponsePB answer = third.copyFrom(leader);
    assertThat(answer.hasError()).as(answer.toString()).isFalse();
    third.awaitRunning();
    await().until(() -> hasAll(third, leader));
    assertThat(third.content()).isEqualTo(leader.content());
    leader.insert(200_000, 200_010);
    await().until(() -> hasAll(third, leader));
  }

  @Test
  void aDeletionForAnEarlierConfigurationIsRejected() {
    CopyServer leader = newServer();
    leader.createTablet();
    leader.insert(0, 100);
    long alone = configurationAt(leader);
    CopyServer newcomer = newServer();
    add(leader, newcomer);
    await().until(() -> hasAll(newcomer, leader));
    assertThat(configurationAt(newcomer)).isGreaterThan(alone);
    for (TabletDataState how :
        List.of(TabletDataState.TABLET_DATA_TOMBSTONED, TabletDataState.TABLET_DATA_DELETED)) {
      await().untilAsserted(() -> assertRefusedBelow(configurationAt(newcomer), newcomer, how));
    }
    assertThat(newcomer.content()).isEqualTo(leader.content());
    await()
        .until(
            () ->
                !newcomer
                    .delete(TabletDataState.TABLET_DATA_TOMBSTONED, configurationAt(newcomer))
                    .hasError());
    assertThat(newcomer.status().getTabletDataState())
        .isEqualTo(TabletDataState.TABLET_DATA_TOMBSTONED);
  }

  /** A new election raises the index. */
  private static long configurationAt(CopyServer server) {
    return server.tablet().replica().consensus().configurationIndex();
  }

  private static void assertRefusedBelow(long now, CopyServer server, TabletDataState how) {
    TabletServerErrorPB refusal = server.delete(how, now - 1).getError();
    assertThat(refusal.getCode()).isEqualTo(TabletServerErrorPB.Code.CAS_FAILED);
    assertThat(refusal.getStatus().getMessage()).contains("" + now, "" + (now - 1));
  }
}
