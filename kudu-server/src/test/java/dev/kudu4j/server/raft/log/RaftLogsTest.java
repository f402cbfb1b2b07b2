package dev.kudu4j.server.raft.log;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kudu4j.tablet.env.CrashImageFileStore;
import dev.kudu4j.tablet.env.CrashImageFileStore.CrashImage;
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
  @TempDir Path imageDirectory;

  @Test
  void aLogForJoiningIsCreatedCompletelyOrNotAtAll() throws IOException {
    CrashImageFileStore files = new CrashImageFileStore(logs, imageDirectory);
    files.start();
    RaftLogs.makeJoining(files, logs, TABLET, CONFIGURATION, VOTE);
    RaftLogs.makeJoining(files, logs, TABLET, CONFIGURATION, VOTE); // again, over the first
    List<Boolean> there = new ArrayList<>();
    for (CrashImage image : files.stop()) {
      Path then = image.directory();
      there.add(RaftLogs.exists(then, TABLET));
      if (RaftLogs.exists(then, TABLET)) {
        assertThat(LastVote.of(then, TABLET)).as(image.toString()).isEqualTo(VOTE);
        assertThat(RaftLogs.isJoining(then, TABLET)).as(image.toString()).isTrue();
        Path configuration =
            RaftLogs.directory(then, TABLET).resolve("current").resolve("raft-meta.conf");
        assertThat(LogEntryProto.parseFrom(Files.readAllBytes(configuration)))
            .as(image.toString())
            .isEqualTo(CONFIGURATION);
      }
    }
    assertThat(there).contains(true, false).endsWith(true);
  }
}
