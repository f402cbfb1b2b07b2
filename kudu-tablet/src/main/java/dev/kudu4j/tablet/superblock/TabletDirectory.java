package dev.kudu4j.tablet.superblock;

import dev.kudu4j.tablet.env.FileStore;
import java.io.IOException;
import java.nio.file.Path;

/** The directory of a tablet as a whole. */
public final class TabletDirectory {
  private TabletDirectory() {}

  /**
   * Removes the directory. The superblock and then the tombstone are durably removed first, because
   * both list other files: a crash leaves neither of them without a file that it lists.
   *
   * @param directory the directory of a tablet that is closed and has no log, or that never opened
   */
  public static void delete(FileStore files, Path directory) throws IOException {
    for (String name : new String[] {SuperblockFile.NAME, TombstoneFile.NAME}) {
      Path file = directory.resolve(name);
      if (files.exists(file)) {
        files.delete(file);
        files.syncDirectory(directory);
      }
    }
    files.deleteTree(directory);
  }
}
