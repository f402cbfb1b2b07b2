package dev.kudu4j.benchmarks.options;

import java.nio.file.Files;
import java.nio.file.Path;
import picocli.CommandLine.Option;

/** The directory for the data of a command while it runs. */
public final class WorkDirectory {
  @Option(
      names = "--work-dir",
      paramLabel = "DIR",
      description =
          "Directory of the data, which is kept afterwards. Default: a temporary" + " directory.")
  private Path given;

  /** The work that a command does in the directory. */
  public interface Work<T> {
    T in(Path directory) throws Exception;
  }

  /** Runs the work in the given directory, or in a temporary one that is deleted afterwards. */
  public <T> T run(Work<T> work) throws Exception {
    if (given != null) {
      return work.in(given);
    }
    Path temporary = Files.createTempDirectory("kudu-bench");
    try {
      return work.in(temporary);
    } finally {
      Directories.delete(temporary);
    }
  }
}
