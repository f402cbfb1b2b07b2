package dev.kudu4j.tablet.superblock;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kudu4j.tablet.env.CrashImageFileStore;
import dev.kudu4j.tablet.env.CrashImageFileStore.CrashImage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TabletDirectoryTest {
  private static final List<String> DATA =
      List.of("a.base", "b.undo", "s.columns", "t.columns", "y.index", "z.redo");

  @Test
  void aCrashDuringTheRemovalLeavesNoListOfMissingFiles(@TempDir Path temporary)
      throws IOException {
    Path original = temporary.resolve("data");
    Path directory = Files.createDirectories(original.resolve("tablet"));
    for (String name : DATA) {
      Files.createFile(directory.resolve(name));
    }
    Files.createFile(directory.resolve(SuperblockFile.NAME));
    Files.createFile(directory.resolve(TombstoneFile.NAME));
    CrashImageFileStore files = new CrashImageFileStore(original, temporary.resolve("images"));

    files.start();
    TabletDirectory.delete(files, directory);
    List<CrashImage> images = files.stop();

    assertThat(images).hasSizeGreaterThan(DATA.size() + 2);
    for (CrashImage image : images) {
      List<String> left = files.list(image.directory().resolve("tablet"));
      if (left.contains(SuperblockFile.NAME) || left.contains(TombstoneFile.NAME)) {
        assertThat(left).as(image.toString()).containsAll(DATA);
      }
      if (left.contains(SuperblockFile.NAME)) {
        // Without the tombstone, the superblock of an unfinished copy would be a replica's.
        assertThat(left).as(image.toString()).contains(TombstoneFile.NAME);
      }
    }
    assertThat(directory).doesNotExist();
  }
}
