package dev.kudu4j.tablet.env;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kudu4j.common.status.KuduException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The store does not touch files outside of its directories; inside, it fulfils the contract. */
class ConfinedFileStoreTest extends FileStoreContract {
  private final LocalFileStore local = new LocalFileStore();
  private ConfinedFileStore store;

  @BeforeEach
  void confine() {
    store = new ConfinedFileStore(local, List.of(directory.getParent()));
  }

  @Override
  FileStore store() {
    return store;
  }

  @Override
  int openFiles() {
    return local.openFiles();
  }

  @Test
  void pathsOutsideOfTheDirectoriesAreRejected() throws IOException {
    Path data = Files.createDirectories(directory.resolve("data"));
    Path victim = Files.createDirectories(directory.resolve("victim"));
    Path file = Files.writeString(victim.resolve("file"), "precious");
    ConfinedFileStore confined = new ConfinedFileStore(local, List.of(data));
    List<Path> outside =
        List.of(
            data.resolve("../victim"),
            data.resolve("tablet/../../victim/file"),
            data.resolve(file.toString()),
            data.resolve("."),
            data.resolve(""),
            data.resolve(".."),
            directory.resolve("database"),
            Path.of("victim"));
    for (Path path : outside) {
      for (ThrowingCallable attempt :
          List.<ThrowingCallable>of(
              () -> confined.deleteTree(path),
              () -> confined.delete(path),
              () -> confined.create(path),
              () -> confined.open(path),
              () -> confined.replace(path, new byte[1]),
              () -> confined.readAll(path),
              () -> confined.exists(path),
              () -> confined.list(path))) {
        assertThatThrownBy(attempt)
            .as(path.toString())
            .isInstanceOf(KuduException.class)
            .hasMessageContaining("is outside the directories of this server's tablets");
      }
    }
    assertThat(file).hasContent("precious");
  }

  @Test
  void removingATreeDoesNotFollowItsLinks() throws IOException {
    Path victim = Files.createDirectories(directory.resolve("victim"));
    Path file = Files.writeString(victim.resolve("file"), "precious");
    Path tablet = Files.createDirectories(directory.resolve("data/tablet"));
    Files.createSymbolicLink(tablet.resolve("to-directory"), victim);
    Files.createSymbolicLink(tablet.resolve("to-file"), file);
    Files.createSymbolicLink(tablet.resolve("to-nothing"), directory.resolve("nothing"));
    Path link = Files.createSymbolicLink(directory.resolve("data/link"), victim);

    store.deleteTree(tablet);
    store.deleteTree(link);

    assertThat(tablet).doesNotExist();
    assertThat(Files.isSymbolicLink(link)).isFalse();
    assertThat(file).hasContent("precious");
  }
}
