package dev.kudu4j.itest.support;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** {@code bin/kudu} as a user calls it: a process, its output and its exit code. */
public final class KuduCommand {
  /** The command of the source tree. */
  public static final Path COMMAND = Path.of("..", "bin", "kudu").toAbsolutePath().normalize();

  /**
   * The result of a finished call.
   *
   * @param output standard output and error, interleaved
   */
  public record Result(int exitCode, String output) {}

  private KuduCommand() {}

  /** Runs to the end. */
  public static Result run(Path workingDirectory, String... arguments) throws Exception {
    return run(workingDirectory, Map.of(), words(arguments));
  }

  /** Runs any command to the end, with additional environment variables. */
  public static Result run(
      Path workingDirectory, Map<String, String> environment, List<String> words) throws Exception {
    Path output = Files.createTempFile("kudu-command-", ".out");
    try {
      Process process = start(workingDirectory, output, environment, words);
      if (!process.waitFor(300, TimeUnit.SECONDS)) {
        process.destroyForcibly();
        throw new AssertionError("Hangs: " + String.join(" ", words) + "\n" + text(output));
      }
      return new Result(process.exitValue(), text(output));
    } finally {
      Files.deleteIfExists(output);
    }
  }

  /** Starts the command, with its output in a file. */
  public static Process start(Path workingDirectory, Path output, String... arguments)
      throws IOException {
    return start(workingDirectory, output, Map.of(), words(arguments));
  }

  private static Process start(
      Path workingDirectory, Path output, Map<String, String> environment, List<String> words)
      throws IOException {
    ProcessBuilder builder =
        new ProcessBuilder(words)
            .directory(workingDirectory.toFile())
            .redirectInput(Path.of("/dev/null").toFile())
            .redirectErrorStream(true)
            .redirectOutput(output.toFile());
    builder.environment().put("JAVA_HOME", System.getProperty("java.home")); // the test's own Java
    builder.environment().put("KUDU4J_JAVA_OPTIONS", String.join(" ", TestJvm.compilers()));
    builder.environment().putAll(environment);
    return builder.start();
  }

  private static List<String> words(String... arguments) {
    List<String> words = new ArrayList<>(List.of(COMMAND.toString()));
    words.addAll(List.of(arguments));
    return words;
  }

  public static String text(Path output) {
    try {
      return Files.readString(output);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
