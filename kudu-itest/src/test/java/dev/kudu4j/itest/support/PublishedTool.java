package dev.kudu4j.itest.support;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;

/**
 * The published Apache Kudu binaries: unpacked by the build, and run with the system's Kerberos
 * libraries.
 *
 * <p>If they cannot run, a test is skipped with the reason; on CI it fails.
 */
public final class PublishedTool {
  private final Path home;

  private PublishedTool(Path home) {
    this.home = home;
  }

  /** The output and exit code of a run. */
  public record Result(int exitCode, String output) {}

  public static PublishedTool find() {
    String trouble;
    try {
      Path home = locate();
      PublishedTool tool = new PublishedTool(home);
      Result version = tool.run(120, "--version");
      if (version.exitCode() == 0) {
        return tool;
      }
      trouble = "kudu --version ended with " + version.exitCode() + ": " + version.output();
    } catch (IOException e) {
      trouble = e.toString();
    }
    if ("true".equals(System.getenv("CI"))) {
      throw new AssertionError("The published Apache Kudu binaries must run on CI: " + trouble);
    }
    Assumptions.abort("The published Apache Kudu binaries do not run here: " + trouble);
    throw new AssertionError("unreachable");
  }

  private static Path locate() throws IOException {
    Path unpacked = Path.of(System.getProperty("published.kudu", "target/published-kudu"));
    try (Stream<Path> entries = Files.list(unpacked)) {
      Path home =
          entries
              .filter(p -> p.getFileName().toString().startsWith("kudu-binary-"))
              .findFirst()
              .orElseThrow(
                  () -> new IOException("Nothing unpacked in " + unpacked.toAbsolutePath()));
      for (String bundled : List.of("libkrb5.so.3", "libgssapi_krb5.so.2", "libk5crypto.so.3")) {
        Files.deleteIfExists(home.resolve("lib").resolve(bundled));
      }
      for (String binary : List.of("kudu", "kudu-master", "kudu-tserver")) {
        if (!home.resolve("bin").resolve(binary).toFile().setExecutable(true)) {
          throw new IOException("Cannot make " + binary + " executable");
        }
      }
      return home;
    }
  }

  /** {@code kudu} with the arguments, to be started with {@link #environment()}. */
  List<String> command(List<String> arguments) {
    List<String> command = new ArrayList<>();
    command.add(home.resolve("bin").resolve("kudu").toString());
    command.addAll(arguments);
    return command;
  }

  Map<String, String> environment() {
    return Map.of("SASL_PATH", home.resolve("lib").resolve("sasl2").toString());
  }

  /** Runs {@code kudu} with the arguments, which must end with exit code 0; returns its output. */
  public String succeed(String... arguments) {
    Result result = run(180, arguments);
    if (result.exitCode() != 0) {
      throw new AssertionError("kudu " + String.join(" ", arguments) + "\n" + result.output());
    }
    return result.output();
  }

  /** Runs {@code kudu} with the arguments; output and errors together. */
  public Result run(int timeoutSeconds, String... arguments) {
    List<String> command = command(List.of(arguments));
    try {
      Path output = Files.createTempFile("kudu-tool", ".txt");
      try {
        ProcessBuilder builder =
            new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output.toFile());
        builder.environment().putAll(environment());
        Process process = builder.start();
        if (!process.waitFor(timeoutSeconds, TimeUnit.SECONDS)) {
          process.destroyForcibly().waitFor();
          return new Result(
              -1, "still running after " + timeoutSeconds + " s\n" + Files.readString(output));
        }
        return new Result(process.exitValue(), Files.readString(output));
      } finally {
        Files.deleteIfExists(output);
      }
    } catch (IOException e) {
      return new Result(-1, e.toString());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return new Result(-1, e.toString());
    }
  }
}
