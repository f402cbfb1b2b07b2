package dev.kudu4j.tablet.env;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kudu4j.tablet.env.FilmedFileStore.Picture;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Behind the camera stands a store that keeps the contract; the pictures show what is durable. */
class FilmedFileStoreTest extends FileStoreContract {
  @TempDir Path album;
  private FilmedFileStore store;

  @BeforeEach
  void open() throws IOException {
    store = new FilmedFileStore(directory, album);
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
  void aFileIsThereForCertainWhenItAndItsDirectoryAreSynced() throws IOException {
    store.action();
    write(directory.resolve("a"), new byte[] {1, 2});
    store.syncDirectory(directory);
    List<Picture> pictures = store.cut();
    assertThat(pictures)
        .extracting(Picture::moment)
        .containsExactly(
            "create a, killed",
            "create a, power lost",
            "append to a, killed",
            "append to a, power lost",
            "sync a, killed",
            "sync a, power lost",
            "sync , killed");
    assertThat(pictures)
        .extracting(picture -> length(picture, "a"))
        .containsExactly(0L, -1L, 2L, -1L, 2L, -1L, 2L);
  }

  @Test
  void bytesBehindTheLastSyncAreLost() throws IOException {
    try (WritableFile file = store.create(directory.resolve("a"))) {
      store.syncDirectory(directory);
      store.action();
      file.append(new byte[] {1, 2}, 0, 2);
    }
    assertThat(store.cut()).extracting(picture -> length(picture, "a")).containsExactly(2L, 0L);
  }

  @Test
  void whatWasRemovedComesBackUnlessItsDirectoryIsSynced() throws IOException {
    Path tree = directory.resolve("tree");
    write(tree.resolve("a"), new byte[] {1});
    store.syncDirectory(tree);
    store.action();
    store.deleteTree(tree);
    store.syncDirectory(directory);
    assertThat(store.cut())
        .extracting(picture -> length(picture, "tree/a"))
        .containsExactly(-1L, 1L, -1L, 1L, -1L);
  }

  /** -1 for none. */
  private static long length(Picture picture, String file) {
    try {
      Path path = picture.directory().resolve(file);
      return Files.exists(path) ? Files.size(path) : -1;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
