package dev.kudu4j.benchmarks.options;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** Operations on whole directories. */
public final class Directories {
  private Directories() {}

  /** Deletes a directory with its contents; does nothing if it does not exist. */
  public static void delete(Path root) throws IOException {
    if (Files.notExists(root)) {
      return;
    }
    List<Path> entries;
    try (Stream<Path> walk = Files.walk(root)) {
      entries = walk.sorted(Comparator.reverseOrder()).toList();
    }
    for (Path entry : entries) {
      Files.deleteIfExists(entry);
    }
  }
}
