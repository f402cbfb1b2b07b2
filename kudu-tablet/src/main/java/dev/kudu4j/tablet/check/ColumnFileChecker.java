package dev.kudu4j.tablet.check;

import dev.kudu4j.tablet.cfile.ColumnIndex;
import dev.kudu4j.tablet.env.TabletEnvironment;
import dev.kudu4j.tablet.file.BlockLocation;
import dev.kudu4j.tablet.rowset.ColumnFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Checks a file of rewritten columns: all checksums are right; blocks fill the file; row counts
 * agree; page statistics match the cells.
 */
public final class ColumnFileChecker {
  private ColumnFileChecker() {}

  /**
   * Reads the whole file and returns its problems; empty if there are none.
   *
   * @throws IOException if the file cannot be read
   */
  public static List<String> check(TabletEnvironment environment, Path path) throws IOException {
    Problems problems = new Problems(path.toString());
    problems.collect(
        () -> {
          ColumnFile file = ColumnFile.open(environment.uncached(), path);
          try {
            checkAll(file, new ColumnCheck(file.sealedFile(), environment.allocator(), problems));
          } finally {
            file.release();
          }
        });
    return problems.list();
  }

  /**
   * Reads the whole file and throws if there is a problem.
   *
   * @throws dev.kudu4j.common.status.KuduException CORRUPTION with all problems
   */
  public static void verify(TabletEnvironment environment, Path path) throws IOException {
    Problems.throwIfAny(check(environment, path));
  }

  private static void checkAll(ColumnFile file, ColumnCheck check) throws IOException {
    List<BlockLocation> blocks = new ArrayList<>();
    for (ColumnIndex column : file.columns()) {
      ColumnCheck.addPages(column, blocks);
    }
    check.problems().checkTiling(file.sealedFile(), blocks);
    for (ColumnIndex column : file.columns()) {
      check.check(column);
    }
  }
}
