package dev.kudu4j.itest.support;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** Short commands of the operating system. */
final class Shell {
  private static final long SECONDS = 60;

  private Shell() {}

  /** Runs a command that must succeed. */
  static void run(String... command) {
    complaint(command)
        .ifPresent(
            complaint -> {
              throw new AssertionError(String.join(" ", command) + ": " + complaint);
            });
  }

  /** Runs a command; returns its error output if it fails. */
  static Optional<String> complaint(String... command) {
    try {
      Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
      process.getOutputStream().close();
      String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      if (!process.waitFor(SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly();
        return Optional.of("still running after " + SECONDS + " s");
      }
      return process.exitValue() == 0
          ? Optional.empty()
          : Optional.of("exit code " + process.exitValue() + " " + output.strip());
    } catch (IOException e) {
      return Optional.of(e.getMessage());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new UncheckedIOException(new IOException(e));
    }
  }
}
