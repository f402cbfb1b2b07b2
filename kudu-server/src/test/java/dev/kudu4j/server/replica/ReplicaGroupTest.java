package dev.kudu4j.server.replica;

import static dev.kudu4j.common.Patience.await;
import static dev.kudu4j.server.replica.ReplicaHarness.TABLET;
import static dev.kudu4j.server.replica.ReplicaHarness.insert;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kudu4j.common.Patience;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.common.status.StatusCode;
import dev.kudu4j.server.raft.RaftInternals;
import dev.kudu4j.server.raft.RaftOptions;
import dev.kudu4j.server.raft.RaftTransportKind;
import dev.kudu4j.server.replica.members.ConsensusView;
import dev.kudu4j.tablet.log.RequestId;
import dev.kudu4j.tablet.log.RequestResult;
import java.lang.reflect.Method;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.ratis.proto.RaftProtos.ServerRpcProto;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.util.TimeDuration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Groups of several members, over real connections, in one process. */
class ReplicaGroupTest {
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(Patience.SECONDS);

  /** Longer than the machine pauses, and within the limit for clocks of other servers. */
  private static final long AHEAD_MICROS = 8_000_000;

  private static final int MANY_TRIES = 30;
  @TempDir Path directory;
  private GroupHarness group;

  private GroupHarness start(int members) throws Exception {
    return start(members, RaftOptions.DEFAULT);
  }

  /** The leader keeps the leadership, unless a test transfers it. */
  private GroupHarness startSteady() throws Exception {
    return start(3, GroupHarness.STEADY);
  }

  private GroupHarness start(int members, RaftOptions raft) throws Exception {
    RaftOptions options = raft.withTransport(transport());
    group = new GroupHarness(directory, members, options, ReplicaOptions.DEFAULT).create();
    return group;
  }

  /** The transport of the messages. */
  RaftTransportKind transport() {
    return RaftTransportKind.KUDU;
  }

  @AfterEach
  void stop() {
    group.close();
  }

  /** The machine may be slow sometimes, but not every time. */
  @Test
  void newGroupIsReadyWithoutATimeOut() throws Exception {
    start(3).leader();
    List<Long> millis = new ArrayList<>();
    for (int i = 0;
        i < MANY_TRIES && millis.stream().noneMatch(ReplicaGroupTest::isSoonerThanTimeout);
        i++) {
      String tablet = "%032x".formatted(i + 1);
      long start = System.nanoTime();
      List<TabletReplica> replicas = createAnother(tablet);
      await().until(() -> replicas.stream().anyMatch(TabletReplica::isLeader));
      millis.add((System.nanoTime() - start) / 1_000_000);
    }
    assertThat(millis).anyMatch(ReplicaGroupTest::isSoonerThanTimeout);
  }

  private List<TabletReplica> createAnother(String tablet) throws Exception {
    List<TabletReplica> replicas = new ArrayList<>();
    for (GroupHarness.Server server : group.servers) {
      TabletReplica replica =
          TabletReplica.create(
              tablet,
              server.process.environment,
              new RecordingState(new RecordingState.Disk()),
              group.members());
      server.more.put(tablet, replica);
      replicas.add(replica);
    }
    return replicas;
  }

  /** Ratis closes the log of a group after a fault of its disk; the server leads other groups. */
  @Test
  void closedLogOfOneGroupDoesNotEndTheHeartbeatsOfTheOthers() throws Exception {
    startSteady();
    String other = "%032x".formatted(7);
    List<TabletReplica> replicas = createAnother(other);
    await().until(() -> replicas.stream().anyMatch(TabletReplica::isLeader));
    GroupHarness.Server server =
        group.servers.stream().filter(s -> s.more.get(other).isLeader()).findFirst().orElseThrow();
    group.handOverTo(server);
    GroupHarness.Server follower =
        group.servers.stream().filter(s -> s != server).findFirst().orElseThrow();
    RaftServer.Division follows = RaftInternals.division(follower.process.raft, other);

    RaftInternals.division(server.process.raft, TABLET).getRaftLog().close();

    AtomicLong before = new AtomicLong();
    AtomicInteger heard = new AtomicInteger();
    await()
        .until(
            () -> {
              long silent = millisSinceHeard(follows, server.uuid);
              if (silent < before.getAndSet(silent)) {
                heard.incrementAndGet();
              }
              return heard.get() >= 3;
            });
  }

  /**
   * Milliseconds since a member has received a message of this leader; a large number if it follows
   * another leader.
   */
  private static long millisSinceHeard(RaftServer.Division member, String leader) {
    ServerRpcProto heard = member.getInfo().getRoleInfoProto().getFollowerInfo().getLeaderInfo();
    return heard.getId().getId().toStringUtf8().equals(leader)
        ? heard.getLastRpcElapsedTimeMs()
        : Long.MAX_VALUE;
  }

  private static boolean isSoonerThanTimeout(long millis) {
    return millis < RaftInternals.FIRST_ELECTION_MILLIS;
  }

  @ParameterizedTest
  @ValueSource(ints = {3, 5})
  void everyMemberAppliesWhatTheLeaderLogged(int members) throws Exception {
    start(members);
    for (int i = 0; i < 20; i++) {
      assertThat(group.write(i, i).counts().successfulInserts()).isEqualTo(1);
    }
    group.awaitEqual();
    await().untilAsserted(() -> assertAgreement(members));
  }

  private void assertAgreement(int members) {
    GroupHarness.Server leader = group.leader();
    ConsensusView view = leader.replica.consensus();
    assertThat(view.members()).hasSize(members);
    for (GroupHarness.Server server : group.servers) {
      ConsensusView other = server.replica.consensus();
      assertThat(other.leaderUuid()).isEqualTo(leader.uuid);
      assertThat(other.term()).isEqualTo(view.term());
      assertThat(other.configurationIndex()).isEqualTo(view.configurationIndex());
    }
  }

  @Test
  void quiescingServerTransfersItsLeaderships() throws Exception {
    start(3);
    group.write(1, 1);
    GroupHarness.Server first = group.leader();
    first.quiescing = true;
    await().until(() -> group.leader() != first);
    group.write(2, 2);
    group.handOverTo(first);
    await().until(() -> group.leader() != first);
    group.write(3, 3);
    first.quiescing = false;
    group.awaitEqual();
  }

  @Test
  void memberThatDoesNotLeadRejectsWrites() throws Exception {
    startSteady();
    TabletReplica follower = group.follower().replica;
    assertThatThrownBy(
            () -> follower.write(insert(new RequestId("c", 1, 1), 1)).get(30, TimeUnit.SECONDS))
        .cause()
        .isInstanceOfSatisfying(
            KuduException.class, e -> assertThat(e.code()).isEqualTo(StatusCode.ILLEGAL_STATE));
  }

  @Test
  void writesContinueAfterTheLeaderStops() throws Exception {
    start(3);
    List<RequestResult> answers = new ArrayList<>();
    answers.add(group.write(1, 1));
    group.stop(group.leader());
    answers.add(group.write(2, 2));
    assertThat(answers.get(1).timestamp()).isGreaterThan(answers.get(0).timestamp());
    assertThat(group.write(1, 1)).isEqualTo(answers.get(0));
    assertThat(group.leader().state.rows()).containsExactly(1L, 2L);
  }

  @Test
  void acknowledgedWritesSurviveARestartOfAllMembers() throws Exception {
    start(3);
    for (int i = 0; i < 10; i++) {
      group.write(i, i);
    }
    group.awaitEqual(); // the log of a member without any messages names no members
    List<GroupHarness.Server> servers = new ArrayList<>(group.servers);
    servers.get(0).replica.flush();
    for (GroupHarness.Server server : servers) {
      group.stop(server);
    }
    for (GroupHarness.Server server : servers) {
      group.restart(server);
    }
    group.write(10, 10);
    group.awaitEqual();
    assertThat(group.leader().state.rows()).hasSize(11);
  }

  @Test
  void manyWritersShareEntries() throws Exception {
    startSteady();
    GroupHarness.Server leader = group.leader();
    List<CompletableFuture<RequestResult>> all = new ArrayList<>();
    for (int i = 0; i < 500; i++) {
      all.add(leader.replica.write(insert(new RequestId("c" + i, 1, 1), i)));
    }
    for (CompletableFuture<RequestResult> one : all) {
      one.get(30, TimeUnit.SECONDS);
    }
    assertThat(leader.replica.entriesSubmitted()).isLessThan(250);
    group.awaitEqual();
  }

  @Test
  void leaderServesASnapshotAfterItHasProvedItsLeadership() throws Exception {
    startSteady();
    RequestResult written = group.write(1, 1);
    GroupHarness.Server leader = group.leader();
    SafeTime safeTime = leader.replica.safeTime();
    int before = group.requests.get();
    safeTime.whenReadable(written.timestamp(), 1).get();
    assertThat(group.requests).hasValue(before);
    group.carrying = false;
    long snapshot = leader.process.clock.now();
    var readable = safeTime.whenReadable(snapshot, PATIENCE_NANOS);
    assertThat(readable).isNotDone();
    assertThat(group.requests).hasValue(before + 1);
    group.tell(leader);
    readable.get(Patience.SECONDS, TimeUnit.SECONDS);
    assertThat(safeTime.now()).isGreaterThan(snapshot);
  }

  @Test
  void isolatedLeaderServesNoSnapshot() throws Exception {
    start(3);
    group.write(1, 1);
    GroupHarness.Server leader = group.leader();
    for (GroupHarness.Server server : group.servers) {
      if (server != leader) {
        group.stop(server);
      }
    }
    long snapshot = leader.process.clock.now();
    assertThatThrownBy(
            () ->
                leader
                    .replica
                    .safeTime()
                    .whenReadable(snapshot, TimeUnit.MILLISECONDS.toNanos(700))
                    .get())
        .cause()
        .isInstanceOfSatisfying(
            KuduException.class, e -> assertThat(e.code()).isEqualTo(StatusCode.TIMED_OUT));
    assertThatThrownBy(
            () ->
                leader
                    .replica
                    .write(insert(new RequestId("c", 1, 1), 9))
                    .get(Patience.SECONDS, TimeUnit.SECONDS))
        .cause()
        .isInstanceOfSatisfying(
            KuduException.class, e -> assertThat(e.code()).isEqualTo(StatusCode.ILLEGAL_STATE));
    assertThat(leader.replica.pendingBytes()).isZero();
    assertThat(leader.state.rows()).containsExactly(1L);
  }

  @Test
  void followersServeSnapshotsAfterTheLeadersPromise() throws Exception {
    startSteady();
    group.write(1, 1);
    GroupHarness.Server leader = group.leader();
    GroupHarness.Server follower = group.follower();
    long snapshot = leader.process.clock.now();
    var readable = follower.replica.safeTime().whenReadable(snapshot, PATIENCE_NANOS);
    readable.get(Patience.SECONDS, TimeUnit.SECONDS);
    assertThat(follower.state.rows()).containsExactly(1L);
  }

  /**
   * A client that still considers the member the leader must see all writes that the client knows
   * of.
   */
  @Test
  void memberWithAClockBehindServesTheLatestSnapshot() throws Exception {
    startSteady();
    GroupHarness.Server leader = group.leader();
    GroupHarness.Server follower = group.follower();
    leader.process.clockMovedMicros.set(AHEAD_MICROS);
    RequestResult written = group.write(1, 1);
    await().until(() -> follower.state.rows().contains(1L));
    assertThat(follower.process.clock.now()).isLessThan(written.timestamp());
    long snapshot =
        follower
            .replica
            .safeTime()
            .whenLatestIsReadable(0, PATIENCE_NANOS)
            .get(Patience.SECONDS, TimeUnit.SECONDS);
    assertThat(snapshot).isGreaterThan(written.timestamp());
  }

  /**
   * A snapshot was served after the confirmation of one member, and the leadership goes to the
   * other one, which does not know of it, and whose clock is behind.
   */
  @Test
  void nextLeaderWritesAfterEverySnapshotThatWasServed() throws Exception {
    startSteady();
    group.write(1, 1);
    GroupHarness.Server leader = group.leader();
    GroupHarness.Server next = group.follower();
    GroupHarness.Server witness =
        group.servers.stream().filter(s -> s != leader && s != next).findFirst().orElseThrow();
    group.carrying = false;
    leader.process.clockMovedMicros.set(AHEAD_MICROS);
    long snapshot = leader.process.clock.now();
    var readable = leader.replica.safeTime().whenReadable(snapshot, PATIENCE_NANOS);
    group.tell(leader, List.of(witness));
    readable.get(Patience.SECONDS, TimeUnit.SECONDS);
    assertThat(next.process.clock.now()).isLessThan(snapshot);
    group.carrying = true;
    group.handOverTo(next);
    await().until(next.replica::isLeader);
    assertThat(group.write(2, 2).timestamp()).isGreaterThan(snapshot);
  }

  /**
   * The leader has been elected, but does not know which snapshots the former leader has served.
   */
  @Test
  void newLeaderWithoutContactToFollowersRejectsWrites() throws Exception {
    startSteady();
    group.write(1, 1);
    GroupHarness.Server next = group.follower();
    group.carrying = false;
    group.handOverTo(next);
    await().until(next.replica::isElected);
    assertThat(next.replica.isLeader()).isFalse();
    assertThatThrownBy(
            () ->
                next.replica
                    .write(insert(new RequestId("c", 1, 1), 9))
                    .get(Patience.SECONDS, TimeUnit.SECONDS))
        .cause()
        .isInstanceOfSatisfying(
            KuduException.class,
            e -> assertThat(e.code()).isEqualTo(StatusCode.SERVICE_UNAVAILABLE));
    group.tell(next);
    assertThat(next.replica.isLeader()).isTrue();
    group.write(2, 2);
    group.awaitEqual();
  }

  @Test
  void electionsBecomeRarerWhileTheyFail() throws Exception {
    start(3);
    group.write(1, 1);
    GroupHarness.Server last = group.leader();
    List<GroupHarness.Server> others = group.servers.stream().filter(s -> s != last).toList();
    assertThat(drawsLongTimeOuts(last)).isFalse();
    others.forEach(group::stop);
    await().until(() -> drawsLongTimeOuts(last));
    group.stop(last);
    group.restart(last);
    await().until(() -> drawsLongTimeOuts(last));
    group.restart(others.get(0));
    group.write(2, 2);
    await().until(() -> !drawsLongTimeOuts(last));
  }

  /** Whether the time-outs that Ratis draws may be longer than under a leader. */
  private static boolean drawsLongTimeOuts(GroupHarness.Server server) throws Exception {
    Object division = RaftInternals.division(server.process.raft, ReplicaHarness.TABLET);
    Method draw = division.getClass().getDeclaredMethod("getRandomElectionTimeout");
    draw.setAccessible(true);
    for (int i = 0; i < 200; i++) {
      long millis = ((TimeDuration) draw.invoke(division)).toLong(TimeUnit.MILLISECONDS);
      if (millis > RaftInternals.longestElectionMillis(RaftOptions.DEFAULT)) {
        return true;
      }
    }
    return false;
  }

  private void writeMegabytes(int from, int count) throws Exception {
    String text = "x".repeat(1 << 18);
    for (int i = from; i < from + count; i++) {
      group.write(new RequestId("client", i, 1), text, i);
    }
  }

  private void flushAll() throws Exception {
    for (GroupHarness.Server server : group.servers) {
      if (server.isUp()) {
        server.replica.flush();
      }
    }
  }

  @Test
  void logIsDeletedOnceEveryMemberHasIt() throws Exception {
    startSteady();
    writeMegabytes(0, 60);
    group.awaitEqual();
    flushAll();
    TabletReplica follower = group.follower().replica;
    assertThat(follower.firstLogIndex()).isZero();
    await()
        .until(
            () -> {
              group.tell(group.leader());
              return group.servers.stream().allMatch(s -> s.replica.firstLogIndex() > 20);
            });
  }

  @Test
  void stoppedMemberCatchesUpWithAnyLeader() throws Exception {
    start(3);
    GroupHarness.Server down = group.follower();
    group.stop(down);
    writeMegabytes(0, 60);
    flushAll();
    group.tell(group.leader());
    GroupHarness.Server first = group.leader();
    group.stop(first);
    group.restart(down);
    assertThat(group.leader()).as("the first to lead").isNotSameAs(down);
    group.write(60, 60);
    group.awaitEqual();
    group.restart(first);
    group.stop(group.leader());
    group.write(61, 61);
    group.awaitEqual();
    assertThat(group.leader().state.rows()).hasSize(62).doesNotHaveDuplicates();
  }

  @Test
  void leadershipIsTransferredImmediately() throws Exception {
    startSteady();
    group.write(1, 1);
    GroupHarness.Server first = group.leader();
    long term = first.replica.consensus().term();
    GroupHarness.Server next = group.follower();
    first
        .replica
        .transferLeadership(Optional.of(next.uuid))
        .get(Patience.SECONDS, TimeUnit.SECONDS);
    await().until(() -> next.leads() && !first.leads());
    next.replica.transferLeadership(Optional.empty()).get(Patience.SECONDS, TimeUnit.SECONDS);
    await().until(() -> group.leader() != next);
    assertThat(group.leader().replica.consensus().term()).isEqualTo(term + 2);
    group.write(2, 2);
    assertThatThrownBy(
            () -> group.leader().replica.transferLeadership(Optional.of("77".repeat(16))).get())
        .cause()
        .isInstanceOfSatisfying(
            KuduException.class, e -> assertThat(e.code()).isEqualTo(StatusCode.INVALID_ARGUMENT));
    assertThatThrownBy(() -> group.follower().replica.stepDown().get())
        .cause()
        .isInstanceOfSatisfying(
            KuduException.class, e -> assertThat(e.code()).isEqualTo(StatusCode.ILLEGAL_STATE));
  }

  @Test
  void leaderStepsDown() throws Exception {
    start(3);
    group.write(1, 1);
    TabletReplica leader = group.leader().replica;
    long term = leader.consensus().term();
    leader.stepDown().get(Patience.SECONDS, TimeUnit.SECONDS);
    group.write(2, 2);
    assertThat(group.leader().replica.consensus().term()).isGreaterThan(term);
    group.awaitEqual();
  }

  @Test
  void anyMemberStartsAnElectionOnRequest() throws Exception {
    startSteady();
    group.write(1, 1);
    GroupHarness.Server told = group.follower();
    assertThat(told.replica.runElection()).isTrue();
    GroupHarness.elect(told);
    assertThat(told.replica.runElection()).isTrue();
    group.write(2, 2);
    group.awaitEqual();
  }

  /**
   * The client gets no response to a write that was logged; the next leader has the write, once.
   */
  @Test
  void writeOfUnknownOutcomeTakesEffectOnce() throws Exception {
    start(3);
    for (int round = 1; round <= 6; round++) {
      GroupHarness.Server leader = group.leader();
      GroupHarness.Server next = group.follower();
      List<CompletableFuture<RequestResult>> tries = new ArrayList<>();
      for (int i = 0; i < 20; i++) {
        RequestId id = new RequestId("client" + i, round, round);
        tries.add(leader.replica.write(insert(id, 100L * round + i)));
      }
      CompletableFuture<Void> handedOver =
          leader.replica.transferLeadership(Optional.of(next.uuid));
      for (int i = 0; i < 20; i++) {
        RequestId id = new RequestId("client" + i, round, round);
        RequestResult retried = group.write(id, "", 100L * round + i);
        assertThat(retried.counts().successfulInserts()).isEqualTo(1);
        if (tries.get(i).isDone() && !tries.get(i).isCompletedExceptionally()) {
          assertThat(retried).isEqualTo(tries.get(i).join());
        }
      }
      handedOver.exceptionally(tooLate -> null).get(Patience.SECONDS, TimeUnit.SECONDS);
    }
    group.awaitEqual();
    assertThat(group.leader().state.rows()).hasSize(6 * 20).doesNotHaveDuplicates();
    assertThat(group.leader().state.timestamps).isSorted();
  }

  /**
   * Entries of an isolated leader, which no other member has: they are removed when the leader
   * returns.
   */
  @Test
  void entriesOfAnIsolatedLeaderAreRemoved() throws Exception {
    startSteady(); // it still leads for a while without the others
    group.write(1, 1);
    group.awaitEqual();
    GroupHarness.Server cutOff = group.leader();
    List<GroupHarness.Server> others = new ArrayList<>(group.servers);
    others.remove(cutOff);
    for (GroupHarness.Server server : others) {
      group.stop(server);
    }
    CompletableFuture<RequestResult> lost =
        cutOff.replica.write(insert(new RequestId("c", 1, 1), 666));
    assertThatThrownBy(() -> lost.get(Patience.SECONDS, TimeUnit.SECONDS))
        .cause()
        .isInstanceOf(KuduException.class);
    assertThat(cutOff.replica.lastLogged().index())
        .isGreaterThan(cutOff.replica.lastCommitted().index());
    group.stop(cutOff);
    for (GroupHarness.Server server : others) {
      group.restart(server);
    }
    group.write(2, 2);
    group.restart(cutOff);
    group.write(3, 3);
    group.awaitEqual();
    assertThat(group.leader().state.rows()).containsExactly(1L, 2L, 3L);
  }

  @Test
  void twoOfFiveMembersMayBeStopped() throws Exception {
    start(5);
    group.write(1, 1);
    group.stop(group.leader());
    group.write(2, 2);
    group.stop(group.leader());
    group.write(3, 3);
    group.awaitEqual();
    assertThat(group.leader().state.rows()).containsExactly(1L, 2L, 3L);
  }
}
