package dev.kudu4j.server.replica;

import static dev.kudu4j.common.Patience.await;
import static dev.kudu4j.server.replica.ReplicaHarness.TABLET;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kudu4j.server.raft.RaftInternals;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The replica of one server is created when the other two have rows already. */
class LateMemberTest {
  @TempDir Path directory;

  @Test
  void memberWithoutEntriesElectsAMemberThatHasThem() throws Exception {
    try (GroupHarness group = new GroupHarness(directory, 3)) {
      group.createAt(group.servers.get(0));
      group.createAt(group.servers.get(1));
      group.write(1, 1);
      GroupHarness.Server first = group.leader();
      GroupHarness.Server second = group.servers.get(first == group.servers.get(0) ? 1 : 0);
      await("both have the row")
          .until(
              () ->
                  RaftInternals.division(second.process.raft, TABLET)
                          .getInfo()
                          .getLastAppliedIndex()
                      >= 1);
      group.stop(first);
      group.createAt(group.servers.get(2));

      group.write(2, 2);
      assertThat(group.leader()).isSameAs(second);
      group.restart(first);
      group.awaitEqual();
    }
  }
}
