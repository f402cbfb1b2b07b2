package dev.kudu4j.server.replica;

import static dev.kudu4j.server.replica.ReplicaHarness.insert;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.common.status.StatusCode;
import dev.kudu4j.tablet.log.RequestId;
import dev.kudu4j.tablet.log.RequestResult;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Groups of several members, over real connections, in one process. */
class ReplicaGroupTest {
  @TempDir Path directory;
  private GroupHarness group;

  private GroupHarness start(int members) throws Exception {
    group = new GroupHarness(directory, members).create();
    return group;
  }

  @AfterEach
  void stop() {
    group.close();
  }

  @Test
  void newGroupIsReadyInWellUnderASecond() throws Exception {
    start(3).leader();
    List<Long> millis = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      String tablet = "%032x".formatted(i + 1);
      long start = System.nanoTime();
      List<TabletReplica> replicas = new ArrayList<>();
      for (GroupHarness.Server server : group.servers) {
        replicas.add(
            TabletReplica.create(
                tablet,
                server.process.environment,
                new RecordingState(new RecordingState.Disk()),
                group.members()));
      }
      Await.until(() -> replicas.stream().anyMatch(TabletReplica::isLeader));
      millis.add((System.nanoTime() - start) / 1_000_000);
    }
    System.out.println("creation of a group of three, ms: " + millis);
    assertThat(millis.stream().sorted().skip(4).findFirst().orElseThrow()).isLessThan(1000);
  }

  @ParameterizedTest
  @ValueSource(ints = {3, 5})
  void everyMemberAppliesWhatTheLeaderLogged(int members) throws Exception {
    start(members);
    for (int i = 0; i < 20; i++) {
      assertThat(group.write(i, i).counts().successfulInserts()).isEqualTo(1);
    }
    group.awaitEqual();
    ConsensusView view = group.leader().replica.consensus();
    assertThat(view.members()).hasSize(members);
    for (GroupHarness.Server server : group.servers) {
      assertThat(server.replica.consensus().leaderUuid()).isEqualTo(group.leader().uuid);
      assertThat(server.replica.consensus().term()).isEqualTo(view.term());
      assertThat(server.replica.consensus().configurationIndex())
          .isEqualTo(view.configurationIndex());
    }
  }

  @Test
  void memberThatDoesNotLeadSendsTheWriterAway() throws Exception {
    start(3);
    TabletReplica follower = group.follower().replica;
    assertThatThrownBy(
            () -> follower.write(insert(new RequestId("c", 1, 1), 1)).get(30, TimeUnit.SECONDS))
        .cause()
        .isInstanceOfSatisfying(
            KuduException.class, e -> assertThat(e.code()).isEqualTo(StatusCode.ILLEGAL_STATE));
  }

  @Test
  void writesGoOnWhenTheLeaderIsGone() throws Exception {
    start(3);
    List<RequestResult> answers = new ArrayList<>();
    answers.add(group.write(1, 1));
    group.stop(group.leader());
    long start = System.nanoTime();
    answers.add(group.write(2, 2));
    System.out.println("next leader after ms: " + (System.nanoTime() - start) / 1_000_000);
    assertThat(answers.get(1).timestamp()).isGreaterThan(answers.get(0).timestamp());
    assertThat(group.write(1, 1)).isEqualTo(answers.get(0));
    assertThat(group.leader().state.rows()).containsExactly(1L, 2L);
  }

  @Test
  void allComeBackWithAllThatWasAcknowledged() throws Exception {
    start(3);
    for (int i = 0; i < 10; i++) {
      group.write(i, i);
    }
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
    start(3);
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
}
