package dev.kudu4j.server.replica;

import static dev.kudu4j.common.Patience.await;
import static dev.kudu4j.server.replica.GroupHarness.adding;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kudu4j.common.security.ClusterSecret;
import dev.kudu4j.server.raft.RaftOptions;
import dev.kudu4j.server.replica.members.MemberChange;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A member that was away while its group changed knows none of the present members. */
class UnknownLeaderTest {
  @TempDir Path directory;

  @Test
  void isAcceptedByAMemberThatKnowsItFromTheMasters() throws Exception {
    changeWhileAway(Optional.empty());
  }

  @Test
  void isAcceptedByAMemberAfterAProof() throws Exception {
    changeWhileAway(Optional.of(ClusterSecret.random()));
  }

  private void changeWhileAway(Optional<ClusterSecret> secret) throws Exception {
    try (GroupHarness group =
        new GroupHarness(directory, 3, RaftOptions.DEFAULT, ReplicaOptions.DEFAULT, secret)
            .create()) {
      group.write(1, 1);
      GroupHarness.Server away = group.follower();
      GroupHarness.Server first = group.leader();
      GroupHarness.Server second =
          group.servers.stream().filter(s -> s != away && s != first).findFirst().orElseThrow();
      group.stop(away);
      GroupHarness.Server fourth = group.addServer();
      GroupHarness.Server fifth = group.addServer();
      group.change(adding(fourth));
      group.awaitVoters(first, second, away, fourth);
      group.change(adding(fifth));
      group.awaitVoters(first, second, away, fourth, fifth);
      group.handOverTo(fourth);
      group.change(new MemberChange.Remove(first.uuid));
      group.awaitVoters(second, away, fourth, fifth);
      group.change(new MemberChange.Remove(second.uuid));
      group.awaitVoters(away, fourth, fifth);
      group.stop(first);
      group.stop(second);
      group.write(2, 2);

      group.restart(away);

      // Their logs begin after the checkpoint of their copy: they have no earlier entries to send.
      await().until(() -> away.replica.lifeCycleState() == TabletReplica.State.FAILED);
      assertThat(String.valueOf(away.replica.reason())).contains("its leader's log begins");
    }
  }
}
