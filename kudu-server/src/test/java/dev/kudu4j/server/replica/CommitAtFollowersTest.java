package dev.kudu4j.server.replica;

import dev.kudu4j.server.raft.RaftOptions;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Followers learn of a commit from the leader's append for it, not from a heartbeat. */
class CommitAtFollowersTest {
  /** Heartbeats are minutes apart; the first election of a new group does not wait for them. */
  private static final RaftOptions NO_HEARTBEATS =
      new RaftOptions(
          RaftOptions.DEFAULT.heartbeatMillis(),
          3_000,
          RaftOptions.DEFAULT.backOffMillis(),
          RaftOptions.DEFAULT.syncEachEntry(),
          RaftOptions.DEFAULT.maxEntryBytes(),
          RaftOptions.DEFAULT.segmentBytes(),
          RaftOptions.DEFAULT.segmentsKept(),
          RaftOptions.DEFAULT.followerFailedMillis(),
          RaftOptions.DEFAULT.evictFirst(),
          RaftOptions.DEFAULT.closeMillis(),
          RaftOptions.DEFAULT.transport());

  @TempDir Path directory;

  @Test
  void followersApplyAWriteWithoutAnotherEntryOrHeartbeat() throws Exception {
    try (GroupHarness group =
        new GroupHarness(directory, 3, NO_HEARTBEATS, ReplicaOptions.DEFAULT).create()) {
      for (int i = 0; i < 5; i++) {
        group.write(i, i);
        group.awaitEqual();
      }
    }
  }
}
