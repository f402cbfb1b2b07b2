package dev.kudu4j.itest.support;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** {@code bin/kudu} as a user calls it: a process, its output and its verdict. */
public final class KuduCommand {
  private static final Path COMMAND = Path.of("..", "bin", "kudu").toAbsolutePath().normalize();

  /**
   * What a finished call left.
   *
   * @param output standard output and error, as they came
   */
  public record Result(int exitCode, String output) {}

  private KuduCommand() {}

  /** Runs to the end. */
  public static Result run(Path workingDirectory, String... arguments) throws Exception {
    Path output = Files.createTempFile("kudu-command-", ".out");
    try {
      Process process = start(workingDirectory, output, arguments);
      if (!process.waitFor(300, TimeUnit.SECONDS)) {
        process.destroyForcibly();
        throw new AssertionError("Hangs: " + String.join(" ", arguments) + "\n" + text(output));
      }
      return new Result(process.exitValue(), text(output));
    } finally {
      Files.deleteIfExists(output);
    }
  }

  /** Starts, with the output in a file. */
  public static Process start(Path workingDirectory, Path output, String... arguments)
      throws IOException {
    List<String> words = new ArrayList<>(List.of(COMMAND.toString()));
    words.addAll(List.of(arguments));
    return new ProcessBuilder(words)
        .directory(workingDirectory.toFile())
        .redirectInput(Path.of("/dev/null").toFile())
        .redirectErrorStream(true)
        .redirectOutput(output.toFile())
        .start();
  }

  public static String text(Path output) {
    try {
      return Files.readString(output);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
