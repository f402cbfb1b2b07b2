package dev.kudu4j.server.raft.log;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kudu4j.tablet.env.FilmedFileStore;
import dev.kudu4j.tablet.env.FilmedFileStore.Picture;
import dev.kudu4j.tablet.log.LogPosition;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.ratis.proto.RaftProtos.LogEntryProto;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RaftLogsTest {
  private static final String TABLET = "0123456789abcdef0123456789abcdef";
  private static final LogEntryProto CONFIGURATION =
      RaftLogs.configuration(new LogPosition(7, 42), List.of(), List.of());
  private static final LastVote VOTE = new LastVote(9, "another");

  @TempDir Path logs;
  @TempDir Path album;

  @Test
  void aLogToJoinWithIsThereAsAWholeOrNotAtAll() throws IOException {
    FilmedFileStore files = new FilmedFileStore(logs, album);
    files.action();
    RaftLogs.makeJoining(files, logs, TABLET, CONFIGURATION, VOTE);
    RaftLogs.makeJoining(files, logs, TABLET, CONFIGURATION, VOTE); // again, over the first
    List<Boolean> there = new ArrayList<>();
    for (Picture picture : files.cut()) {
      Path then = picture.directory();
      there.add(RaftLogs.exists(then, TABLET));
      if (RaftLogs.exists(then, TABLET)) {
        assertThat(LastVote.of(then, TABLET)).as(picture.toString()).isEqualTo(VOTE);
        assertThat(RaftLogs.isJoining(then, TABLET)).as(picture.toString()).isTrue();
        Path configuration =
            RaftLogs.directory(then, TABLET).resolve("current").resolve("raft-meta.conf");
        assertThat(LogEntryProto.parseFrom(Files.readAllBytes(configuration)))
            .as(picture.toString())
            .isEqualTo(CONFIGURATION);
      }
    }
    assertThat(there).contains(true, false).endsWith(true);
  }
}
