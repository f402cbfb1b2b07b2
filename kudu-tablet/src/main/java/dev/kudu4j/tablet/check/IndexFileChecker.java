package dev.kudu4j.tablet.check;

import dev.kudu4j.tablet.cfile.ColumnIndex;
import dev.kudu4j.tablet.env.TabletEnvironment;
import dev.kudu4j.tablet.index.IndexFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Checks an index file by itself: all checksums are right; blocks fill the file; entry counts
 * agree; page statistics match the cells. {@link IndexCheck} compares the entries with the rowset.
 */
public final class IndexFileChecker {
  private IndexFileChecker() {}

  /**
   * Reads the whole file and returns its problems; empty if there are none.
   *
   * @throws IOException if the file cannot be read
   */
  public static List<String> check(TabletEnvironment environment, Path path) throws IOException {
    Problems problems = new Problems(path.toString());
    problems.collect(
        () -> {
          IndexFile file = IndexFile.open(environment.uncached(), path);
          try {
            List<ColumnIndex> columns = new ArrayList<>(file.columns());
            columns.add(file.ordinals());
            ColumnFileChecker.checkAll(
                columns,
                file.filter().locations(),
                new ColumnCheck(file.sealedFile(), environment.allocator(), problems),
                file.sealedFile());
          } finally {
            file.release();
          }
        });
    return problems.list();
  }
}
