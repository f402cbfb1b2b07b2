package dev.kudu4j.server.replica;

import static dev.kudu4j.common.Patience.await;
import static dev.kudu4j.server.replica.ReplicaHarness.insert;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kudu4j.common.Patience;
import dev.kudu4j.server.raft.RaftOptions;
import dev.kudu4j.tablet.log.RequestResult;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A replica survives a shortage of file descriptors in its process. */
class DescriptorShortageTest {
  private static final int LIMIT = 600;

  @TempDir Path directory;

  /** Runs in a separate process with a low limit. */
  @Test
  void logContinuesWhenDescriptorsAreAvailableAgain() throws Exception {
    String java = ProcessHandle.current().info().command().orElseThrow();
    Process child =
        new ProcessBuilder(
                "sh",
                "-c",
                "ulimit -n " + LIMIT + "; exec \"$@\"",
                "sh",
                java,
                "-ea",
                "-Xmx256m",
                "-cp",
                classPath(),
                DescriptorShortageTest.class.getName(),
                directory.toString())
            .redirectErrorStream(true)
            .start();
    try {
      String output = new String(child.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertThat(child.waitFor(Patience.SECONDS, TimeUnit.SECONDS)).isTrue();
      assertThat(child.exitValue()).as(output).isZero();
      assertThat(output).contains("files are opened with", "writes to logs wait", "all written");
    } finally {
      child.destroyForcibly();
    }
  }

  private static String classPath() {
    return System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
  }

  /** The program of the child process. */
  public static void main(String[] arguments) throws Exception {
    RaftOptions usual = RaftOptions.DEFAULT;
    RaftOptions options =
        new RaftOptions(
            usual.heartbeatMillis(),
            usual.missedHeartbeats(),
            usual.backOffMillis(),
            usual.syncEachEntry(),
            usual.maxEntryBytes(),
            256 << 10,
            usual.segmentsKept(),
            usual.followerFailedMillis(),
            usual.evictFirst(),
            usual.closeMillis(),
            usual.transport());
    try (ReplicaHarness process =
        new ReplicaHarness(Path.of(arguments[0]), options, ReplicaOptions.DEFAULT)) {
      RecordingState state = new RecordingState(new RecordingState.Disk());
      TabletReplica replica = process.create(state);
      for (int i = 0; i < 10; i++) { // two files and more: all classes are loaded
        write(replica, i).get(Patience.SECONDS, TimeUnit.SECONDS);
      }
      Deque<FileChannel> taken = new ArrayDeque<>();
      takeAll(taken);
      for (int i = 10; i < 30; i++) {
        write(replica, i).get(Patience.SECONDS, TimeUnit.SECONDS);
      }
      System.out.println("files are opened with those that are kept for logs");
      takeAll(taken);
      CompletableFuture<RequestResult> last = null;
      for (int i = 30; i < 40; i++) {
        last = write(replica, i);
      }
      try {
        last.get(2, TimeUnit.SECONDS);
        throw new AssertionError("There was another descriptor");
      } catch (java.util.concurrent.TimeoutException e) {
        System.out.println("nothing is written: " + replica.lifeCycleState());
      }
      for (int i = 0; i < 100; i++) {
        taken.remove().close();
      }
      last.get(Patience.SECONDS, TimeUnit.SECONDS);
      await().until(() -> state.rows().size() == 40);
      if (replica.lifeCycleState() != TabletReplica.State.RUNNING) {
        throw new AssertionError(replica.lifeCycleState() + " " + replica.reason());
      }
      System.out.println("all written");
    }
    System.exit(0);
  }

  private static CompletableFuture<RequestResult> write(TabletReplica replica, long key) {
    return replica.write(insert(null, "x".repeat(60 << 10), key));
  }

  private static void takeAll(Deque<FileChannel> taken) {
    try {
      while (true) {
        taken.add(FileChannel.open(Path.of("/dev/null"), StandardOpenOption.READ));
      }
    } catch (IOException e) {
      System.out.println(taken.size() + " are taken, there are no more");
    }
  }
}
