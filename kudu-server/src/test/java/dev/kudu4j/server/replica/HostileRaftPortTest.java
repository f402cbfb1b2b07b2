package dev.kudu4j.server.replica;

import static dev.kudu4j.common.Patience.await;
import static dev.kudu4j.server.replica.ReplicaHarness.TABLET;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kudu4j.common.security.ClusterSecret;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.server.raft.RaftHost;
import dev.kudu4j.server.raft.RaftInternals;
import dev.kudu4j.server.raft.RaftOptions;
import dev.kudu4j.server.raft.RaftTransportKind;
import dev.kudu4j.server.replica.RaftPortClient.Answer;
import dev.kudu4j.server.replica.RaftPortClient.Greeting;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.apache.ratis.proto.RaftProtos.AppendEntriesRequestProto;
import org.apache.ratis.proto.RaftProtos.InstallSnapshotRequestProto;
import org.apache.ratis.proto.RaftProtos.LogEntryProto;
import org.apache.ratis.proto.RaftProtos.RaftConfigurationProto;
import org.apache.ratis.proto.RaftProtos.RaftGroupIdProto;
import org.apache.ratis.proto.RaftProtos.RaftPeerProto;
import org.apache.ratis.proto.RaftProtos.RaftRpcRequestProto;
import org.apache.ratis.proto.RaftProtos.RequestVoteRequestProto;
import org.apache.ratis.proto.RaftProtos.StartLeaderElectionRequestProto;
import org.apache.ratis.proto.RaftProtos.TermIndexProto;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;
import org.apache.ratis.thirdparty.com.google.protobuf.BytesValue;
import org.apache.ratis.thirdparty.com.google.protobuf.StringValue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * An attacker who knows the uuids, the group and the port cannot unseat a leader or end a server.
 */
class HostileRaftPortTest {
  private static final String STRANGER = "9".repeat(32);
  private static final long JUMP = 1L << 32;

  @TempDir Path directory;
  private GroupHarness group;
  private GroupHarness.Server leader;
  private GroupHarness.Server follower;
  private long term;

  private void start(Optional<ClusterSecret> secret) throws Exception {
    group =
        new GroupHarness(directory, 3, GroupHarness.STEADY, ReplicaOptions.DEFAULT, secret)
            .create();
    group.write(1, 1);
    leader = group.leader();
    follower = group.follower();
    term = term(leader);
  }

  @AfterEach
  void stop() {
    if (group != null) {
      group.close();
    }
  }

  private static long term(GroupHarness.Server server) throws IOException {
    return RaftInternals.division(server.process.raft, TABLET).getInfo().getCurrentTerm();
  }

  private void assertNothingHasChanged() throws Exception {
    for (GroupHarness.Server server : group.servers) {
      assertThat(term(server)).isEqualTo(term);
    }
    assertThat(group.leader()).isSameAs(leader);
    group.write(2, 2);
    group.awaitEqual();
  }

  private RaftRpcRequestProto head(String from, GroupHarness.Server to) throws IOException {
    RaftServer.Division division = RaftInternals.division(to.process.raft, TABLET);
    return RaftRpcRequestProto.newBuilder()
        .setRequestorId(RaftPeerId.valueOf(from).toByteString())
        .setReplyId(division.getId().toByteString())
        .setRaftGroupId(
            RaftGroupIdProto.newBuilder().setId(division.getMemberId().getGroupId().toByteString()))
        .setCallId(7)
        .build();
  }

  private static TermIndexProto position(long term, long index) {
    return TermIndexProto.newBuilder().setTerm(term).setIndex(index).build();
  }

  private RequestVoteRequestProto vote(String from, GroupHarness.Server to, long candidateTerm)
      throws IOException {
    return RequestVoteRequestProto.newBuilder()
        .setServerRequest(head(from, to))
        .setCandidateTerm(candidateTerm)
        .setCandidateLastEntry(position(0, 1 << 20))
        .build();
  }

  private AppendEntriesRequestProto.Builder append(
      String from, GroupHarness.Server to, long leaderTerm) throws IOException {
    return AppendEntriesRequestProto.newBuilder()
        .setServerRequest(head(from, to))
        .setLeaderTerm(leaderTerm);
  }

  private static LogEntryProto entry(long term, long index) {
    return LogEntryProto.newBuilder()
        .setTerm(term)
        .setIndex(index)
        .setConfigurationEntry(
            RaftConfigurationProto.newBuilder()
                .addPeers(
                    RaftPeerProto.newBuilder()
                        .setId(RaftPeerId.valueOf(STRANGER).toByteString())
                        .setAddress("127.0.0.1:1")))
        .build();
  }

  private static void assertRejected(Answer answer, String reason) throws IOException {
    assertThat(answer.kind()).isEqualTo(RaftPortClient.FAILED);
    assertThat(answer.text()).contains("RejectedMessage", reason);
  }

  private static BytesValue beat(byte[]... groups) {
    ByteString.Output out = ByteString.newOutput();
    for (byte[] group : groups) {
      out.write(group, 0, group.length);
    }
    return BytesValue.of(out.toByteString());
  }

  private static byte[] encodeHeartbeat(UUID group, long beatTerm, long commitIndex) {
    return ByteBuffer.allocate(4 * Long.BYTES)
        .putLong(group.getMostSignificantBits())
        .putLong(group.getLeastSignificantBits())
        .putLong(beatTerm)
        .putLong(commitIndex)
        .array();
  }

  /** Heartbeats of quiet groups count only for the leader and the term that the member follows. */
  @Test
  void heartbeatsOfOthersThanTheLeaderHaveNoEffect() throws Exception {
    start(Optional.empty());
    group.awaitEqual();
    GroupHarness.Server other =
        group.servers.stream().filter(s -> s != leader && s != follower).findFirst().orElseThrow();
    RaftServer.Division division = RaftInternals.division(follower.process.raft, TABLET);
    UUID id = division.getMemberId().getGroupId().getUuid();
    long commit = division.getRaftLog().getLastCommittedIndex();
    try (RaftPortClient client = new RaftPortClient(follower.process.raft.self())) {
      client.greet(other.uuid);
      Answer answer =
          client.call(
              RaftPortClient.BEATS,
              beat(
                  encodeHeartbeat(id, term, commit),
                  encodeHeartbeat(id, term + 1, commit),
                  encodeHeartbeat(UUID.randomUUID(), term, commit)));
      assertThat(answer.kind()).isEqualTo(RaftPortClient.BEATS);
      assertThat(BytesValue.parseFrom(answer.body()).getValue().toByteArray())
          .containsExactly(0, 0, 0);
      assertRejected(
          client.call(RaftPortClient.BEATS, beat(new byte[33])), "Heartbeats of 33 bytes");
    }
    try (RaftPortClient client = new RaftPortClient(follower.process.raft.self())) {
      client.greet(leader.uuid);
      Answer answer =
          client.call(
              RaftPortClient.BEATS,
              beat(
                  encodeHeartbeat(id, term, commit),
                  encodeHeartbeat(id, term - 1, commit),
                  encodeHeartbeat(id, term, commit + 1)));
      assertThat(BytesValue.parseFrom(answer.body()).getValue().toByteArray())
          .containsExactly(1, 0, 0);
    }
    assertNothingHasChanged();
  }

  @Test
  void impossibleTermsOfAMemberAreRejected() throws Exception {
    start(Optional.empty());
    String from = follower.uuid;
    try (RaftPortClient client = new RaftPortClient(leader.process.raft.self())) {
      assertThat(client.greet(from).kind()).isEqualTo(RaftPortClient.HELLO);
      for (long bad : new long[] {Long.MAX_VALUE, -1, Long.MIN_VALUE, 1L << 62 | 1}) {
        String reason = "a term out of range";
        assertRejected(client.call(RaftPortClient.VOTE, vote(from, leader, bad)), reason);
        assertRejected(
            client.call(
                RaftPortClient.VOTE, vote(from, leader, bad).toBuilder().setPreVote(true).build()),
            reason);
        assertRejected(
            client.call(RaftPortClient.APPEND, append(from, leader, bad).build()), reason);
        assertRejected(
            client.call(
                RaftPortClient.ELECT,
                StartLeaderElectionRequestProto.newBuilder()
                    .setServerRequest(head(from, leader))
                    .setLeaderLastEntry(position(bad, 0))
                    .build()),
            reason);
        assertRejected(
            client.call(
                RaftPortClient.NOTICE,
                InstallSnapshotRequestProto.newBuilder()
                    .setServerRequest(head(from, leader))
                    .setLeaderTerm(bad)
                    .build()),
            reason);
      }
      assertRejected(
          client.call(RaftPortClient.VOTE, vote(from, leader, term + JUMP + 1)),
          "a term too far ahead");
      assertRejected(
          client.call(RaftPortClient.APPEND, append(from, leader, term + JUMP + 1).build()),
          "a term too far ahead");
    }
    assertNothingHasChanged();
  }

  @Test
  void impossibleEntriesAreRejected() throws Exception {
    start(Optional.empty());
    String from = leader.uuid;
    try (RaftPortClient client = new RaftPortClient(follower.process.raft.self())) {
      assertThat(client.greet(from).kind()).isEqualTo(RaftPortClient.HELLO);
      assertRejected(
          client.call(
              RaftPortClient.APPEND,
              append(from, follower, term).addEntries(entry(term + 1, 9)).build()),
          "an entry of an impossible term");
      assertRejected(
          client.call(
              RaftPortClient.APPEND,
              append(from, follower, term)
                  .addEntries(entry(term, 9))
                  .addEntries(entry(term, 11))
                  .build()),
          "indices with a gap");
      assertRejected(
          client.call(
              RaftPortClient.APPEND,
              append(from, follower, term).addEntries(entry(term, Long.MAX_VALUE)).build()),
          "an index out of range");
      assertRejected(
          client.call(
              RaftPortClient.APPEND,
              append(from, follower, term)
                  .setPreviousLog(position(term, 3))
                  .addEntries(entry(term, 9))
                  .build()),
          "entries that do not follow");
      assertRejected(
          client.call(
              RaftPortClient.APPEND,
              append(from, follower, term).setLeaderCommit(Long.MIN_VALUE).build()),
          "an index out of range");
      LogEntryProto empty = LogEntryProto.newBuilder().setTerm(term).setIndex(9).build();
      assertRejected(
          client.call(
              RaftPortClient.APPEND, append(from, follower, term).addEntries(empty).build()),
          "an entry without content");
    }
    assertNothingHasChanged();
  }

  @Test
  void messagesMustContainTheirSender() throws Exception {
    start(Optional.empty());
    try (RaftPortClient client = new RaftPortClient(leader.process.raft.self())) {
      client.greet(follower.uuid);
      assertRejected(
          client.call(RaftPortClient.VOTE, vote(STRANGER, leader, term + 1)), "another sender");
      assertRejected(
          client.call(RaftPortClient.APPEND, append(leader.uuid, leader, term + 1).build()),
          "another sender");
    }
    assertNothingHasChanged();
  }

  /** The server is known, because it may be a member of other groups. */
  @Test
  void aNonMemberCannotUnseatALeader() throws Exception {
    start(Optional.empty());
    follower.process.raft.registerPeers(List.of(new RaftHost.Peer(STRANGER, "127.0.0.1", 1)));
    try (RaftPortClient client = new RaftPortClient(follower.process.raft.self())) {
      assertThat(client.greet(STRANGER).kind()).isEqualTo(RaftPortClient.HELLO);
      assertRejected(
          client.call(RaftPortClient.APPEND, append(STRANGER, follower, term + 1).build()),
          "not a member");
      Answer vote = client.call(RaftPortClient.VOTE, vote(STRANGER, follower, term + 1));
      assertThat(vote.kind())
          .as("it may ask whether it is a member")
          .isEqualTo(RaftPortClient.VOTE);
    }
    assertNothingHasChanged();
  }

  @Test
  void unknownServersAreNotGreeted() throws Exception {
    start(Optional.empty());
    RaftHost.Peer port = leader.process.raft.self();
    try (RaftPortClient unknown = new RaftPortClient(port);
        RaftPortClient elsewhere = new RaftPortClient(port);
        RaftPortClient prover = new RaftPortClient(port)) {
      unknown.send(RaftPortClient.HELLO, StringValue.of(unknown.plainHello(STRANGER)));
      unknown.send(RaftPortClient.VOTE, vote(STRANGER, leader, term + 1));
      assertThat(unknown.isClosed()).isTrue();
      leader.process.raft.registerPeers(List.of(new RaftHost.Peer(STRANGER, "192.0.2.1", 1)));
      assertThat(elsewhere.greet(STRANGER).text()).isEqualTo("WRONG_ADDRESS");
      assertThat(elsewhere.isClosed()).isTrue();
      assertThatThrownBy(() -> prover.begin(follower.uuid)).hasMessageContaining("HAS_NO_SECRET");
    }
    assertNothingHasChanged();
  }

  /** The group of an unknown server may be created here a moment later. */
  @Test
  void serverThatBecomesKnownIsGreeted() throws Exception {
    start(Optional.empty());
    try (RaftPortClient client = new RaftPortClient(leader.process.raft.self())) {
      client.send(RaftPortClient.HELLO, StringValue.of(client.plainHello(STRANGER)));
      leader.process.raft.registerPeers(List.of(new RaftHost.Peer(STRANGER, "localhost", 1)));
      assertThat(client.read().text()).isEqualTo(client.plainHello(STRANGER));
    }
  }

  @Test
  void withASecretOnlyItsHoldersAreGreeted() throws Exception {
    ClusterSecret secret = ClusterSecret.random();
    start(Optional.of(secret));
    RaftHost.Peer port = leader.process.raft.self();
    String from = follower.uuid;
    try (RaftPortClient plain = new RaftPortClient(port);
        RaftPortClient wrong = new RaftPortClient(port);
        RaftPortClient mirror = new RaftPortClient(port);
        RaftPortClient impatient = new RaftPortClient(port)) {
      assertThat(plain.greet(from).text()).isEqualTo("NEEDS_SECRET");
      assertThat(plain.isClosed()).isTrue();

      String bad = wrong.proof(ClusterSecret.random(), "CALLER", from, wrong.begin(from));
      assertThat(wrong.call(RaftPortClient.PROOF, bad).text()).isEqualTo("WRONG_SECRET");
      assertThat(wrong.isClosed()).isTrue();

      Greeting greeting = mirror.begin(from);
      assertThat(greeting.calledProof())
          .as("the server proves itself first")
          .isEqualTo(mirror.proof(secret, "CALLED", from, greeting));
      assertThat(mirror.call(RaftPortClient.PROOF, greeting.calledProof()).text())
          .isEqualTo("WRONG_SECRET");

      impatient.begin(from);
      impatient.send(RaftPortClient.VOTE, vote(from, leader, term + 1));
      assertThat(impatient.isClosed()).isTrue();
    }
    assertNothingHasChanged();
  }

  @Test
  void aProofIsValidForOneConnectionOnly() throws Exception {
    ClusterSecret secret = ClusterSecret.random();
    start(Optional.of(secret));
    RaftHost.Peer port = leader.process.raft.self();
    try (RaftPortClient first = new RaftPortClient(port);
        RaftPortClient replay = new RaftPortClient(port);
        RaftPortClient other = new RaftPortClient(port)) {
      Greeting greeting = first.begin(STRANGER);
      String proof = first.proof(secret, "CALLER", STRANGER, greeting);
      assertThat(first.call(RaftPortClient.PROOF, proof).kind()).isEqualTo(RaftPortClient.PROOF);

      replay.begin(STRANGER, greeting.nonce());
      assertThat(replay.call(RaftPortClient.PROOF, proof).text()).isEqualTo("WRONG_SECRET");
      assertThat(first.call(RaftPortClient.PING, vote(STRANGER, leader, 1)).kind())
          .as("a failed attempt does not end the connection of the server")
          .isEqualTo(RaftPortClient.PING);

      String again = other.proof(secret, "CALLER", STRANGER, other.begin(STRANGER));
      assertThat(other.call(RaftPortClient.PROOF, again).kind()).isEqualTo(RaftPortClient.PROOF);
      assertThat(first.isClosed()).as("replaced by a later one").isTrue();

      assertRejected(
          other.call(RaftPortClient.APPEND, append(STRANGER, leader, Long.MAX_VALUE).build()),
          "a term out of range");
    }
    assertNothingHasChanged();
  }

  @Test
  void serversWithDifferentSecretsDoNotMakeAGroup() throws Exception {
    start(Optional.of(ClusterSecret.random()));
    group.stop(follower);
    try (ReplicaHarness impostor =
        new ReplicaHarness(
            follower.directory,
            follower.uuid,
            follower.port,
            GroupHarness.STEADY,
            ReplicaOptions.DEFAULT,
            Optional.of(ClusterSecret.random()))) {
      TabletReplica replica =
          TabletReplica.open(TABLET, impostor.environment, new RecordingState(follower.disk));
      group.write(2, 2);
      await()
          .until(
              () ->
                  RaftInternals.division(impostor.raft, TABLET).getInfo().isCandidate()
                      || RaftInternals.division(impostor.raft, TABLET).getInfo().getLeaderId()
                          == null);
      group.write(3, 3);
      assertThat(replica.isLeader()).isFalse();
      assertThat(term(leader)).isEqualTo(term);
      replica.close();
    }
  }

  @Test
  void manyForeignConnectionsAreClosedAndServersCanStillConnect() throws Exception {
    start(Optional.empty());
    int threads = ManagementFactory.getThreadMXBean().getThreadCount();
    List<RaftPortClient> strangers = new ArrayList<>();
    try {
      for (int i = 0; i < 300; i++) {
        RaftPortClient stranger = new RaftPortClient(leader.process.raft.self());
        strangers.add(stranger);
        stranger.send(new byte[] {0, 0, 0, (byte) 200, 1, 2}); // the beginning of a frame
      }
      for (RaftPortClient stranger : strangers.subList(0, 300 - 64)) {
        assertThat(stranger.isClosed()).isTrue();
      }
      GroupHarness.Server restarted = follower;
      group.stop(restarted);
      group.restart(restarted);
      group.write(3, 3);
      group.awaitEqual();
      assertThat(ManagementFactory.getThreadMXBean().getThreadCount() - threads).isLessThan(40);
      for (RaftPortClient stranger : strangers) {
        assertThat(stranger.isClosed()).as("it did not greet in time").isTrue();
      }
    } finally {
      for (RaftPortClient stranger : strangers) {
        stranger.close();
      }
    }
    assertThat(group.leader()).isSameAs(leader);
  }

  @Test
  @Tag("nightly") // waits until a silent connection is closed
  void requestsWithUnreadResponsesEndTheConnection() throws Exception {
    start(Optional.empty());
    try (RaftPortClient client = new RaftPortClient(leader.process.raft.self())) {
      client.greet(follower.uuid);
      assertThatThrownBy(
              () -> {
                while (true) { // unread bytes block the connection, which is finally reset
                  client.send(RaftPortClient.VOTE, vote(follower.uuid, leader, -1));
                }
              })
          .isInstanceOf(IOException.class);
    }
    assertNothingHasChanged();
  }

  @Test
  void gRpcCannotProveASecret() {
    assertThatThrownBy(
            () ->
                new ReplicaHarness(
                    directory,
                    STRANGER,
                    ReplicaHarness.freePort(),
                    RaftOptions.DEFAULT.withTransport(RaftTransportKind.GRPC),
                    ReplicaOptions.DEFAULT,
                    Optional.of(ClusterSecret.random())))
        .isInstanceOf(KuduException.class)
        .hasMessageContaining("--raft_transport=grpc cannot prove the cluster secret");
  }
}
