package dev.kudu4j.tablet.check;

import dev.kudu4j.tablet.env.TabletEnvironment;
import dev.kudu4j.tablet.transaction.StagedFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** Checks a file of staged rows: all checksums are right; blocks fill the file; rows are whole. */
public final class StagedFileChecker {
  private StagedFileChecker() {}

  /**
   * Reads the whole file and returns its problems; empty if there are none.
   *
   * @throws IOException if the file cannot be read
   */
  public static List<String> check(TabletEnvironment environment, Path path) throws IOException {
    Problems problems = new Problems(path.toString());
    problems.collect(
        () -> {
          StagedFile file = StagedFile.open(environment.uncached(), path);
          try {
            problems.checkTiling(file.sealedFile(), file.blocks());
            file.readAll(environment.allocator());
          } finally {
            file.release();
          }
        });
    return problems.list();
  }
}
