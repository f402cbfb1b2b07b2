package dev.kudu4j.benchmarks.find;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Iterator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileTreeTest {
  private static final int COUNT = 2_000;

  @Test
  void findAndTheRowsAgree(@TempDir Path directory) throws Exception {
    Path root = directory.resolve("tree");
    try (FileTree tree = FileTree.create(root, new FileRows(COUNT))) {
      assertThat(tree.find()).isEqualTo(FileRows.RECENT);
    }
    assertThat(root).doesNotExist();
  }

  @Test
  void theSameNumberOfRowsIsInTheLastMinute() {
    long recent = 0;
    long rows = 0;
    for (int part = 1; part <= 3; part++) {
      Iterator<Object[]> share = new FileRows(COUNT).rows(part, 3);
      while (share.hasNext()) {
        long modified = (Long) share.next()[1];
        rows++;
        recent +=
            modified >= FileRows.lastMinute().lowerNumber()
                    && modified <= FileRows.lastMinute().upperNumber()
                ? 1
                : 0;
      }
    }
    assertThat(rows).isEqualTo(COUNT);
    assertThat(recent).isEqualTo(FileRows.RECENT);
  }
}
