package dev.kudu4j.server.replica;

import static dev.kudu4j.common.Patience.await;
import static dev.kudu4j.server.replica.GroupHarness.adding;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kudu4j.common.Patience;
import dev.kudu4j.server.raft.RaftInternals;
import dev.kudu4j.server.raft.RaftOptions;
import dev.kudu4j.server.raft.log.RaftLogs;
import dev.kudu4j.server.replica.members.ConsensusView;
import dev.kudu4j.server.replica.members.MemberChange;
import dev.kudu4j.server.replica.members.MemberChangeRejectedException;
import dev.kudu4j.tablet.log.LogPosition;
import dev.kudu4j.tablet.log.RequestId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.apache.ratis.protocol.RaftPeer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Members join and leave, over real connections, in one process, while a client writes. */
class MembershipTest {
  @TempDir Path directory;
  private GroupHarness group;
  private Writer writer;

  /** A client that writes rows in sequence, whichever member leads. */
  @SuppressWarnings("try") // an interrupt ends the test
  private final class Writer implements AutoCloseable {
    private final Thread thread = new Thread(this::run, "writer");
    private final AtomicLong acknowledged = new AtomicLong();
    private volatile boolean stopping;
    private volatile Throwable failure;

    Writer() {}

    Writer(long first) {
      acknowledged.set(first);
    }

    Writer start() {
      thread.start();
      return this;
    }

    private void run() {
      try {
        while (!stopping) {
          long key = acknowledged.get();
          group.write(new RequestId("writer", key, key), "", key);
          acknowledged.set(key + 1);
        }
      } catch (Throwable e) {
        failure = e;
      }
    }

    void awaitMore(int rows) {
      long wanted = acknowledged.get() + rows;
      await().until(() -> acknowledged.get() >= wanted || failure != null);
      assertThat(failure).isNull();
    }

    @Override
    public void close() throws InterruptedException {
      stopping = true;
      thread.join();
    }
  }

  private void start(int members) throws Exception {
    start(members, RaftOptions.DEFAULT);
  }

  /** The leader keeps the leadership, unless a test transfers it. */
  private void startSteady() throws Exception {
    start(3, GroupHarness.STEADY);
  }

  private void start(int members, RaftOptions options) throws Exception {
    group = new GroupHarness(directory, members, options, ReplicaOptions.DEFAULT).create();
    writer = new Writer().start();
    writer.awaitMore(10);
  }

  @AfterEach
  void stop() throws Exception {
    writer.close();
    group.close();
  }

  /** Each of these members has every acknowledged row, once and in order, and no other rows. */
  private void assertAllAcknowledgedAt(GroupHarness.Server... members) throws Exception {
    writer.awaitMore(10);
    writer.close();
    assertThat(writer.failure).isNull();
    List<Long> rows = new ArrayList<>();
    for (long key = 0; key < writer.acknowledged.get(); key++) {
      rows.add(key);
    }
    for (GroupHarness.Server member : members) {
      await()
          .untilAsserted(
              () ->
                  assertThat(member.state.rows().size())
                      .as(group::describe)
                      .isGreaterThanOrEqualTo(rows.size()));
      assertThat(member.state.rows()).isEqualTo(rows);
    }
  }

  @Test
  void oneMemberBecomesThree() throws Exception {
    start(1);
    GroupHarness.Server second = group.addServer();
    GroupHarness.Server third = group.addServer();
    group.change(adding(second));
    group.change(adding(third));
    group.awaitVoters(group.servers.get(0), second, third);
    assertAllAcknowledgedAt(group.servers.get(0), second, third);
  }

  @Test
  void threeMembersBecomeFiveAndThreeAgain() throws Exception {
    startSteady();
    GroupHarness.Server[] five = withTwoMore();
    group.change(adding(five[3]), adding(five[4]));
    group.awaitVoters(five);
    writer.awaitMore(10);
    GroupHarness.Server leader = group.leader();
    List<GroupHarness.Server> stay = new ArrayList<>(List.of(five));
    for (GroupHarness.Server server : five) {
      if (server != leader && stay.size() > 3) {
        group.change(new MemberChange.Remove(server.uuid));
        stay.remove(server);
        await().until(() -> server.replica.lifeCycleState() == TabletReplica.State.EVICTED);
      }
    }
    group.awaitVoters(stay.toArray(GroupHarness.Server[]::new));
    assertAllAcknowledgedAt(stay.toArray(GroupHarness.Server[]::new));
  }

  private GroupHarness.Server[] withTwoMore() throws Exception {
    group.addServer();
    group.addServer();
    return group.servers.toArray(GroupHarness.Server[]::new);
  }

  /** The leader is killed repeatedly while two members join; they join nevertheless. */
  @Test
  void membersJoinAlthoughLeadersAreKilled() throws Exception {
    start(3);
    GroupHarness.Server[] five = withTwoMore();
    group.change(adding(five[3]), adding(five[4]));
    for (int kills = 0; kills < 3; kills++) {
      GroupHarness.Server leader = group.leader();
      group.stop(leader);
      writer.awaitMore(1);
      group.restart(leader);
    }
    group.awaitVoters(five);
    assertAllAcknowledgedAt(five);
  }

  /** Another leader executes each step of a join; the notes survive all of them. */
  @Test
  void newLeaderResumesEachStepOfAJoin() throws Exception {
    start(3);
    GroupHarness.Server fourth = group.addServer();
    group.copying = false;
    group.change(adding(fourth), marking(group.follower(), true));
    nextLeader();
    ConsensusView view = group.leader().replica.consensus();
    assertThat(view.member(fourth.uuid).orElseThrow().promote()).isTrue();
    assertThat(view.members()).filteredOn(ConsensusView.Member::replace).hasSize(1);
    group.copying = true;
    await().until(() -> group.copies.get() == 1);
    nextLeader();
    group.awaitVoters(group.servers.toArray(GroupHarness.Server[]::new));
    assertThat(group.copies).hasValue(1);
    assertAllAcknowledgedAt(group.servers.toArray(GroupHarness.Server[]::new));
  }

  private void nextLeader() throws Exception {
    GroupHarness.Server leader = group.leader();
    group.stop(leader);
    writer.awaitMore(1);
    group.restart(leader);
  }

  private static MemberChange marking(GroupHarness.Server server, boolean replace) {
    return new MemberChange.Modify(
        server.uuid, Optional.empty(), Optional.empty(), Optional.of(replace));
  }

  /**
   * A copied replica that is not yet a member of the configuration is still a listener after a
   * restart.
   */
  @Test
  void restartedLearnerIsStillAListener() throws Exception {
    start(1);
    GroupHarness.Server second = group.addServer();
    group.change(new MemberChange.Add(second.uuid, null, false, false));
    await().until(() -> second.isUp());
    group.stop(second);
    group.restart(second);
    await()
        .until(
            () ->
                group.leader().replica.consensus().member(second.uuid).orElseThrow().health()
                    == ConsensusView.Health.HEALTHY);
    await().until(() -> second.replica.consensus().role() == ConsensusView.Role.LEARNER);
    group.stop(group.servers.get(0));
    group.restart(group.servers.get(0));
    writer.awaitMore(10);
    assertThat(group.leader()).isSameAs(group.servers.get(0));
    group.change(
        new MemberChange.Modify(
            second.uuid, Optional.of(true), Optional.empty(), Optional.empty()));
    group.awaitVoters(group.servers.get(0), second);
    assertAllAcknowledgedAt(group.servers.get(0), second);
  }

  /** A learner restarts that has its leader's configuration, but not yet the one that adds it. */
  @Test
  void learnerRestartedBeforeItsAdditionIsStillAListener() throws Exception {
    start(1);
    GroupHarness.Server second = group.addServer();
    group.admitting = false;
    group.change(adding(second));
    await().until(() -> group.copies.get() == 1);
    LogPosition checkpoint = second.state.checkpoint();
    group.stop(second);
    Path current = RaftLogs.directory(second.directory, ReplicaHarness.TABLET).resolve("current");
    RaftPeer leader = RaftInternals.toPeer(group.servers.get(0).process.raft.self());
    Files.write(
        current.resolve("raft-meta.conf"),
        RaftLogs.configuration(checkpoint, List.of(leader), List.of()).toByteArray());
    group.restart(second);
    assertThat(second.replica.consensus().role()).isEqualTo(ConsensusView.Role.LEARNER);
    group.admitting = true;
    group.awaitVoters(group.servers.get(0), second);
    assertThat(group.copies).hasValue(1);
    assertAllAcknowledgedAt(group.servers.get(0), second);
  }

  @Test
  void evictedMemberReturnsByACopy() throws Exception {
    startSteady();
    GroupHarness.Server out = group.follower();
    group.change(new MemberChange.Remove(out.uuid));
    await().until(() -> out.replica.lifeCycleState() == TabletReplica.State.EVICTED);
    group.stop(out);
    group.restart(out);
    await().until(() -> out.replica.lifeCycleState() == TabletReplica.State.EVICTED);
    writer.awaitMore(10);
    group.change(adding(out));
    group.awaitVoters(group.servers.toArray(GroupHarness.Server[]::new));
    assertThat(group.copies).hasValue(1);
    assertAllAcknowledgedAt(group.servers.toArray(GroupHarness.Server[]::new));
  }

  /**
   * The leader may stop replicating to a removed member before that member has received the entry
   * that removes it. Here the entry is in its log.
   */
  @Test
  void memberThatLoggedItsEvictionLearnsOfItAfterARestart() throws Exception {
    startSteady();
    GroupHarness.Server out = group.follower();
    GroupHarness.Server leader = group.leader();
    GroupHarness.Server other =
        group.servers.stream().filter(s -> s != out && s != leader).findFirst().orElseThrow();
    group.change(new MemberChange.Remove(out.uuid));
    await().until(() -> out.replica.lifeCycleState() == TabletReplica.State.EVICTED);
    group.stop(out);
    group.stop(other);
    replaceLog(out, other);
    other.disk.copyTo(out.disk);
    group.restart(other);
    group.restart(out);
    await().until(() -> out.replica.lifeCycleState() == TabletReplica.State.EVICTED);
    assertAllAcknowledgedAt(leader, other);
  }

  private static void replaceLog(GroupHarness.Server target, GroupHarness.Server source)
      throws IOException {
    Path from = RaftLogs.directory(source.directory, ReplicaHarness.TABLET);
    Path to = RaftLogs.directory(target.directory, ReplicaHarness.TABLET);
    RaftLogs.delete(target.directory, ReplicaHarness.TABLET);
    try (Stream<Path> paths = Files.walk(from)) {
      for (Path path : paths.toList()) {
        Files.copy(path, to.resolve(from.relativize(path)));
      }
    }
  }

  @Test
  void changeDecidedOnAnOlderViewIsRefused() throws Exception {
    startSteady();
    GroupHarness.Server fourth = group.addServer();
    group.copying = false;
    TabletReplica leader = group.leader().replica;
    long seen = leader.consensus().configurationIndex();
    leader
        .changeMembers(List.of(adding(fourth)), OptionalLong.of(seen))
        .get(Patience.SECONDS, TimeUnit.SECONDS);
    long now = leader.consensus().configurationIndex();
    assertThat(now).isGreaterThan(seen);
    assertRefused(leader, MemberChangeRejectedException.Reason.OUTDATED, seen);
    assertRefused(group.follower().replica, MemberChangeRejectedException.Reason.NOT_LEADER, now);
    leader
        .changeMembers(List.of(new MemberChange.Remove(fourth.uuid)), OptionalLong.of(now))
        .get(Patience.SECONDS, TimeUnit.SECONDS);
    assertThat(leader.consensus().members()).hasSize(3);
  }

  private void assertRefused(
      TabletReplica replica, MemberChangeRejectedException.Reason reason, long casIndex) {
    MemberChange change = new MemberChange.Remove(group.follower().uuid);
    assertThatThrownBy(
            () ->
                replica
                    .changeMembers(List.of(change), OptionalLong.of(casIndex))
                    .get(Patience.SECONDS, TimeUnit.SECONDS))
        .cause()
        .isInstanceOfSatisfying(
            MemberChangeRejectedException.class, e -> assertThat(e.reason()).isEqualTo(reason));
  }

  @Test
  void leaderMarkedForReplacementTransfersItsLeadership() throws Exception {
    startSteady();
    GroupHarness.Server leader = group.leader();
    group.change(marking(leader, true));
    await().until(() -> group.leader() != leader);
    group.change(new MemberChange.Remove(leader.uuid));
    assertThat(group.leader()).isNotSameAs(leader);
    writer.awaitMore(10);
  }

  @Test
  void silentMemberIsEvictedWhenTheLeaderIsConfiguredToDoSo() throws Exception {
    group =
        new GroupHarness(
                directory,
                3,
                RaftOptions.DEFAULT.withMembers(4_000, true, 80),
                ReplicaOptions.DEFAULT)
            .create();
    writer = new Writer().start();
    GroupHarness.Server silent = group.follower();
    group.stop(silent);
    GroupHarness.Server[] rest =
        group.servers.stream().filter(s -> s != silent).toArray(GroupHarness.Server[]::new);
    group.awaitVoters(rest);
    assertAllAcknowledgedAt(rest);
  }

  /**
   * The leader has deleted log entries that a member lacks: the member fails, and is replaced by a
   * copy on the same server.
   */
  @Test
  void memberThatLacksDeletedLogIsCopiedAgain() throws Exception {
    group =
        new GroupHarness(
                directory,
                3,
                RaftOptions.DEFAULT.withMembers(300_000, false, 2),
                ReplicaOptions.DEFAULT)
            .create();
    writer = new Writer().start();
    writer.awaitMore(5);
    GroupHarness.Server behind = group.follower();
    group.stop(behind);
    String text = "x".repeat(1 << 18);
    for (int i = 0; i < 80; i++) {
      group.write(new RequestId("large", i, i), text, 1_000_000 + i);
    }
    await()
        .until(
            () -> {
              group.leader().replica.flush();
              return healthOf(behind) == ConsensusView.Health.FAILED_UNRECOVERABLE;
            });
    group.restart(behind);
    await().until(() -> behind.replica.lifeCycleState() == TabletReplica.State.FAILED);
    group.change(new MemberChange.Remove(behind.uuid));
    group.change(adding(behind));
    group.awaitVoters(group.servers.toArray(GroupHarness.Server[]::new));
    writer.close();
    group.awaitEqual();
    assertThat(group.copies).hasValue(1);
  }

  private ConsensusView.Health healthOf(GroupHarness.Server server) {
    return group.leader().replica.consensus().member(server.uuid).orElseThrow().health();
  }

  @Test
  void anUnsafeChangeMakesOneMemberTheWholeGroup() throws Exception {
    start(3);
    writer.awaitMore(10);
    writer.close();
    GroupHarness.Server last = group.follower();
    List<GroupHarness.Server> lost = new ArrayList<>(group.servers);
    lost.remove(last);
    group.awaitEqual();
    lost.forEach(group::stop);
    last.replica.forceMembers(List.of(last.uuid)).get(Patience.SECONDS, TimeUnit.SECONDS);
    group.awaitVoters(last);
    writer = new Writer(writer.acknowledged.get()).start();
    writer.awaitMore(10);
    GroupHarness.Server fresh = group.addServer();
    group.change(adding(fresh));
    group.awaitVoters(last, fresh);
    assertAllAcknowledgedAt(last, fresh);
  }
}
