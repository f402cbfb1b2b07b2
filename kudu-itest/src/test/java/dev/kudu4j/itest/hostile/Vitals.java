package dev.kudu4j.itest.hostile;

import dev.kudu4j.itest.support.Daemon;
import dev.kudu4j.itest.support.Garbage;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** Resources of one process that an attacker may want to exhaust, from the kernel and its JVM. */
record Vitals(long residentBytes, int threads, int descriptors, long logBytes) {
  private static final int COMMAND_SECONDS = 30;

  static Vitals of(Daemon daemon) {
    Path process = Path.of("/proc", Long.toString(daemon.pid()));
    try {
      return new Vitals(
          Garbage.residentBytes(daemon.pid()),
          count(process.resolve("task")),
          count(process.resolve("fd")),
          daemon.logBytes());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static int count(Path directory) throws IOException {
    try (Stream<Path> entries = Files.list(directory)) {
      return (int) entries.count();
    }
  }

  /** Bytes of live objects: the used heap after a collection. */
  static long liveHeapBytes(Daemon daemon) {
    jcmd(daemon, "GC.run");
    return jcmd(daemon, "GC.heap_info")
        .lines()
        .filter(line -> line.contains("generation") || line.contains("heap   total"))
        .filter(line -> line.contains(" used "))
        .mapToLong(line -> kilobytes(line.replaceAll(".* used (\\d+)K.*", "$1")) << 10)
        .sum();
  }

  private static long kilobytes(String digits) {
    return Long.parseLong(digits);
  }

  private static String jcmd(Daemon daemon, String command) {
    String jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd").toString();
    try {
      Process process =
          new ProcessBuilder(jcmd, Long.toString(daemon.pid()), command)
              .redirectErrorStream(true)
              .start();
      process.getOutputStream().close();
      String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      if (!process.waitFor(COMMAND_SECONDS, TimeUnit.SECONDS) || process.exitValue() != 0) {
        process.destroyForcibly();
        throw new AssertionError("jcmd " + command + " of " + daemon.name() + ": " + output);
      }
      return output;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError(e);
    }
  }
}
