package dev.kudu4j.server.replica;

import static dev.kudu4j.server.replica.ReplicaHarness.TABLET;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.common.status.StatusCode;
import dev.kudu4j.server.raft.RaftInternals;
import dev.kudu4j.server.raft.log.LastVote;
import dev.kudu4j.server.raft.log.RaftLogs;
import dev.kudu4j.server.raft.tuning.TuningInternals;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.ratis.proto.RaftProtos.RaftGroupIdProto;
import org.apache.ratis.proto.RaftProtos.RaftRpcRequestProto;
import org.apache.ratis.proto.RaftProtos.RequestVoteRequestProto;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.protocol.TermIndex;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A server that forgot a vote could vote twice in the same term, and two leaders could be elected.
 */
class KeptVoteTest {
  private static final long TERM = 7;

  @TempDir Path directory;
  private GroupHarness group;
  private GroupHarness.Server voter;

  /** A member of three without any messages: the others have no replica yet. */
  @BeforeEach
  void start() throws Exception {
    group = new GroupHarness(directory, 3);
    voter = group.servers.get(0);
    group.createAt(voter);
  }

  @AfterEach
  void stop() {
    group.close();
  }

  @Test
  void memberWithoutMessagesKeepsItsVoteOverARestart() throws Exception {
    assertThat(votesFor(1)).isTrue();
    assertThat(
            RaftInternals.division(voter.process.raft, TABLET).getRaftStorage().getMetadataFile())
        .as("where a full disk does no harm")
        .isInstanceOf(TuningInternals.voteFile());
    assertThat(LastVote.of(voter.directory, TABLET))
        .isEqualTo(new LastVote(TERM, group.servers.get(1).uuid));
    group.stop(voter);
    group.restart(voter);
    assertThat(votesFor(2)).isFalse();
    assertThat(votesFor(1)).as("the same answer to the same candidate").isTrue();
    assertThat(voter.replica.others()).hasSize(2);
  }

  @Test
  void memberWithoutMessagesJoinsTheOthersAfterARestart() throws Exception {
    group.stop(voter);
    group.restart(voter);
    group.createAt(group.servers.get(1));
    group.createAt(group.servers.get(2));
    group.write(1, 1);
    group.awaitEqual();
  }

  /**
   * The members are written last, and no member votes before that: so there is no vote to forget.
   */
  @Test
  void interruptedCreationIsNotFound() throws Exception {
    group.stop(voter);
    Files.delete(RaftLogs.directory(voter.directory, TABLET).resolve("founders"));
    assertThatThrownBy(() -> group.restart(voter))
        .isInstanceOfSatisfying(
            KuduException.class, e -> assertThat(e.code()).isEqualTo(StatusCode.NOT_FOUND));
    group.createAt(voter);
    assertThat(votesFor(2)).isTrue();
  }

  private boolean votesFor(int candidate) throws IOException {
    RaftServer.Division division = RaftInternals.division(voter.process.raft, TABLET);
    RaftPeerId id = RaftPeerId.valueOf(group.servers.get(candidate).uuid);
    return division
        .getRaftServer()
        .requestVote(
            RequestVoteRequestProto.newBuilder()
                .setServerRequest(
                    RaftRpcRequestProto.newBuilder()
                        .setRequestorId(id.toByteString())
                        .setReplyId(division.getId().toByteString())
                        .setRaftGroupId(
                            RaftGroupIdProto.newBuilder()
                                .setId(division.getMemberId().getGroupId().toByteString())))
                .setCandidateTerm(TERM)
                .setCandidateLastEntry(TermIndex.valueOf(0, 0).toProto())
                .build())
        .getServerReply()
        .getSuccess();
  }
}
