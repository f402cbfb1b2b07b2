package dev.kudu4j.benchmarks.options;

import java.nio.file.Files;
import java.nio.file.Path;
import picocli.CommandLine.Option;

/** Where data lies while a command runs. */
public final class WorkDirectory {
  @Option(
      names = "--work-dir",
      paramLabel = "DIR",
      description = "The data; kept afterwards. By default a temporary directory.")
  private Path given;

  /** What a command does in the directory. */
  public interface Work<T> {
    T in(Path directory) throws Exception;
  }

  /** Runs the work in the directory that was given, or in one that is gone afterwards. */
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
