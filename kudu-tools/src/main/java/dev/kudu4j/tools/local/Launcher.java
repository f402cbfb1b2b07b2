package dev.kudu4j.tools.local;

import dev.kudu4j.common.status.KuduException;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Starts the process of a cluster such that it survives this process and the terminal. */
final class Launcher {
  private final Path command;

  private Launcher(Path command) {
    this.command = command;
  }

  /** Uses the running {@code kudu} command. */
  static Launcher ofThisCommand() {
    String home = System.getProperty("kudu4j.home");
    if (home == null) {
      throw KuduException.configuration(
          "The system property kudu4j.home is not set; start with bin/kudu");
    }
    return new Launcher(Path.of(home, "bin", "kudu"));
  }

  /** Starts the process in its own session, with its output in the log. */
  Process launch(ClusterDirectory directory, ClusterShape shape) throws IOException {
    List<String> words = new ArrayList<>(detachment());
    words.add(command.toString());
    words.add("local");
    words.add("run");
    words.addAll(LocalClusterOptions.arguments(directory, shape));
    return new ProcessBuilder(words)
        .redirectInput(new File("/dev/null"))
        .redirectErrorStream(true)
        .redirectOutput(directory.logFile().toFile())
        .start();
  }

  /**
   * The start of a command line that detaches a process from the terminal: {@code setsid}, which
   * creates a new session, or else {@code nohup}, which makes the process ignore the hangup signal
   * of the terminal.
   */
  private static List<String> detachment() {
    for (String tool : List.of("setsid", "nohup")) {
      for (String place : System.getenv().getOrDefault("PATH", "").split(":")) {
        if (!place.isEmpty() && Files.isExecutable(Path.of(place, tool))) {
          return List.of(tool);
        }
      }
    }
    return List.of();
  }
}
