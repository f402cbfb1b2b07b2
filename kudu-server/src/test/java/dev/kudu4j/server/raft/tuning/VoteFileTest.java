package dev.kudu4j.server.raft.tuning;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kudu4j.tablet.env.SimulatedFileStore;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.server.storage.RaftStorageMetadata;
import org.junit.jupiter.api.Test;

class VoteFileTest {
  private static final Path CURRENT = Path.of("/wals/group/current");

  private final SimulatedFileStore files = new SimulatedFileStore();
  private final VoteFile file =
      new VoteFile(files, CURRENT, () -> {}, RaftStorageMetadata.getDefault());

  private static RaftStorageMetadata vote(long term, String candidate) {
    return RaftStorageMetadata.valueOf(term, RaftPeerId.valueOf(candidate));
  }

  private String content() throws IOException {
    return new String(files.readAll(CURRENT.resolve("raft-meta")), StandardCharsets.UTF_8);
  }

  @Test
  void aVoteThatCannotBeWrittenKeepsThePreviousVote() throws IOException {
    file.persist(vote(3, "a"));
    String before = content();
    assertThat(before).contains("term=3", "votedFor=a");
    files.fillUpAfter(10);
    assertThatThrownBy(() -> file.persist(vote(4, "b"))).isInstanceOf(IOException.class);
    assertThat(content()).isEqualTo(before);
    assertThat(file.getMetadata()).isEqualTo(vote(3, "a"));
    files.fillUpAfter(Long.MAX_VALUE);
    file.persist(vote(4, "b"));
    assertThat(content()).contains("term=4", "votedFor=b");
  }

  @Test
  void aVoteSurvivesPowerLoss() throws IOException {
    file.persist(vote(3, "a"));
    files.crash();
    assertThat(content()).contains("term=3", "votedFor=a");
  }
}
