package dev.kudu4j.itest.support;

import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.stream.Stream;

/** A process stands still with all its connections open, from SIGSTOP to SIGCONT. */
public final class Standstill {
  private Standstill() {}

  /**
   * Stops a process and waits until no thread of it runs: the signal only says that they shall, and
   * on a busy machine some of them still answer requests tens of milliseconds later.
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

  /** Whether a thread is anything but stopped ({@code T}) or at its end. */
  private static boolean mayRun(Path thread) {
    try {
      String line = Files.readString(thread.resolve("stat"));
      return "TZX".indexOf(line.charAt(line.lastIndexOf(')') + 2)) < 0;
    } catch (IOException e) {
      if (Files.exists(thread)) {
        throw new UncheckedIOException(e);
      }
      return false; // It ended meanwhile.
    }
  }
}
