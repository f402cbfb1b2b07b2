package dev.kudu4j.server.replica;

import static dev.kudu4j.common.Patience.await;
import static dev.kudu4j.server.replica.ReplicaHarness.TABLET;
import static dev.kudu4j.server.replica.ReplicaHarness.insert;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kudu4j.server.raft.RaftInternals;
import dev.kudu4j.server.raft.log.RaftLogs;
import dev.kudu4j.tablet.log.RequestId;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.raftlog.RaftLog;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LogRetentionTest {
  private static final int FILES = 5;

  @TempDir Path directory;
  private ReplicaHarness process;
  private TabletReplica replica;

  @BeforeEach
  void start() throws Exception {
    process = new ReplicaHarness(directory);
    replica = process.create(new RecordingState(new RecordingState.Disk()));
  }

  @AfterEach
  void stop() {
    process.close();
  }

  /** Last indexes of the closed files, ascending. */
  private List<Long> lastIndexes() throws IOException {
    Path log = RaftLogs.directory(directory, TABLET).resolve("current");
    try (Stream<Path> files = Files.list(log)) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(name -> name.matches("log_\\d+-\\d+"))
          .map(name -> Long.parseLong(name.substring(name.indexOf('-') + 1)))
          .sorted()
          .toList();
    }
  }

  /** A process may be killed between any two deletions, and must find no gap after a restart. */
  @Test
  void filesAreDeletedOneByOneOldestFirst() throws Exception {
    for (int i = 0; lastIndexes().size() < FILES; i++) {
      RequestId id = new RequestId("client", i, i);
      replica.write(insert(id, "x".repeat(700_000), i)).get(30, TimeUnit.SECONDS);
    }
    List<Long> before = lastIndexes();
    List<List<Long>> after = new ArrayList<>();
    RaftServer.Division group = RaftInternals.division(process.raft, TABLET);
    RaftLog log = group.getRaftLog();
    RaftLog watched =
        proxy(
            RaftLog.class,
            log,
            "purge",
            index -> {
              log.purge((long) index);
              await().until(() -> lastIndexes().stream().noneMatch(last -> last <= (long) index));
              after.add(lastIndexes());
              return CompletableFuture.completedFuture(index);
            });
    RaftServer.Division watchedGroup =
        proxy(RaftServer.Division.class, group, "getRaftLog", none -> watched);
    long last = log.getLastEntryTermIndex().getIndex();

    RaftInternals.release(TABLET, watchedGroup, Long.MAX_VALUE, last);

    assertThat(after).isNotEmpty().last(InstanceOfAssertFactories.LIST).isEmpty();
    List<Long> left = before;
    for (List<Long> now : after) {
      assertThat(now).isIn(left, left.subList(Math.min(1, left.size()), left.size()));
      left = now;
    }
  }

  private interface Answer {
    Object to(Object argument) throws Exception;
  }

  /** An object with another implementation of one method. */
  private static <T> T proxy(Class<T> type, T real, String method, Answer answer) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (proxy, called, arguments) ->
                called.getName().equals(method)
                    ? answer.to(arguments == null ? null : arguments[0])
                    : called.invoke(real, arguments)));
  }
}
