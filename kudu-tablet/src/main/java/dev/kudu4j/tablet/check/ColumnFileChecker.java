package dev.kudu4j.tablet.check;

import dev.kudu4j.tablet.cfile.ColumnIndex;
import dev.kudu4j.tablet.env.TabletEnvironment;
import dev.kudu4j.tablet.file.BlockLocation;
import dev.kudu4j.tablet.file.SealedFile;
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
            checkAll(
                file.columns(),
                List.of(),
                new ColumnCheck(file.sealedFile(), environment.allocator(), problems),
                file.sealedFile());
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

  /**
   * Checks a file that consists of the pages of these columns.
   *
   * @param others further blocks of the file
   */
  static void checkAll(
      List<ColumnIndex> columns, List<BlockLocation> others, ColumnCheck check, SealedFile sealed)
      throws IOException {
    List<BlockLocation> blocks = new ArrayList<>(others);
    for (ColumnIndex column : columns) {
      ColumnCheck.addPages(column, blocks);
    }
    check.problems().checkTiling(sealed, blocks);
    for (ColumnIndex column : columns) {
      check.check(column);
    }
  }
}
