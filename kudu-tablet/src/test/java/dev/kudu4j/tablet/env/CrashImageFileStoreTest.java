package dev.kudu4j.tablet.env;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kudu4j.tablet.env.CrashImageFileStore.CrashImage;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The store fulfils the contract of a file store; its images show what is durable. */
class CrashImageFileStoreTest extends FileStoreContract {
  @TempDir Path imageDirectory;
  private CrashImageFileStore store;

  @BeforeEach
  void open() throws IOException {
    store = new CrashImageFileStore(directory, imageDirectory);
  }

  @Override
  FileStore store() {
    return store;
  }

  @Override
  int openFiles() {
    return store.openFiles();
  }

  @Test
  void aFileIsDurableWhenItAndItsDirectoryAreSynced() throws IOException {
    store.start();
    write(directory.resolve("a"), new byte[] {1, 2});
    store.syncDirectory(directory);
    List<CrashImage> images = store.stop();
    assertThat(images)
        .extracting(CrashImage::moment)
        .containsExactly(
            "create a, killed",
            "create a, power lost",
            "append to a, killed",
            "append to a, power lost",
            "sync a, killed",
            "sync a, power lost",
            "sync , killed");
    assertThat(images)
        .extracting(image -> length(image, "a"))
        .containsExactly(0L, -1L, 2L, -1L, 2L, -1L, 2L);
  }

  @Test
  void bytesBehindTheLastSyncAreLost() throws IOException {
    try (WritableFile file = store.create(directory.resolve("a"))) {
      store.syncDirectory(directory);
      store.start();
      file.append(new byte[] {1, 2}, 0, 2);
    }
    assertThat(store.stop()).extracting(image -> length(image, "a")).containsExactly(2L, 0L);
  }

  @Test
  void aRemovedTreeMayComeBackUntilItsDirectoryIsSynced() throws IOException {
    Path tree = directory.resolve("tree");
    write(tree.resolve("a"), new byte[] {1});
    store.syncDirectory(tree);
    store.start();
    store.deleteTree(tree);
    store.syncDirectory(directory);
    assertThat(store.stop())
        .extracting(image -> length(image, "tree/a"))
        .containsExactly(-1L, 1L, -1L, 1L, -1L);
  }

  /** The length of a file in an image; -1 if it does not exist. */
  private static long length(CrashImage image, String file) {
    try {
      Path path = image.directory().resolve(file);
      return Files.exists(path) ? Files.size(path) : -1;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
