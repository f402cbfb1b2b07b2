package dev.kudu4j.itest.support;

import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.stream.Stream;

/** Stops a process, with all its connections open, from SIGSTOP to SIGCONT. */
public final class Standstill {
  private Standstill() {}

  /**
   * Stops a process and waits until none of its threads runs: the signal takes effect
   * asynchronously, and on a busy machine some threads still answer requests tens of milliseconds
   * later.
   */
  public static void begin(long pid) {
    Shell.run("kill", "-STOP", Long.toString(pid));
    await("process " + pid + " stands still")
        .pollDelay(Duration.ZERO)
        .pollInterval(Duration.ofMillis(2))
        .atMost(Duration.ofMinutes(1))
        .until(() -> isStill(pid));
  }

  public static void end(long pid) {
    Shell.run("kill", "-CONT", Long.toString(pid));
  }

  private static boolean isStill(long pid) throws IOException {
    try (Stream<Path> threads = Files.list(Path.of("/proc", Long.toString(pid), "task"))) {
      return threads.noneMatch(Standstill::mayRun);
    }
  }

  /** Whether a thread is neither stopped ({@code T}) nor terminated. */
  private static boolean mayRun(Path thread) {
    try {
      String line = Files.readString(thread.resolve("stat"));
      return "TZX".indexOf(line.charAt(line.lastIndexOf(')') + 2)) < 0;
    } catch (IOException e) {
      if (Files.exists(thread)) {
        throw new UncheckedIOException(e);
      }
      return false; // The thread has ended.
    }
  }
}
