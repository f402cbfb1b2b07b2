package dev.kudu4j.tablet.env;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kudu4j.tablet.memory.Allocators;
import java.io.EOFException;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Objects;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The contract of every file store. */
abstract class FileStoreContract {
  @TempDir Path directory;

  abstract FileStore store();

  abstract int openFiles();

  final void write(Path path, byte[] content) throws IOException {
    try (WritableFile file = store().create(path)) {
      file.append(content, 0, content.length);
      file.sync();
    }
  }

  @Test
  void appendedBytesAreReadByPosition() throws IOException {
    Path path = directory.resolve("a/b/file");
    try (BufferAllocator allocator = Allocators.root(1 << 20);
        ArrowBuf buffer = allocator.buffer(8)) {
      buffer.setLong(0, 0x0807060504030201L);
      try (WritableFile file = store().create(path)) {
        file.append(buffer.memoryAddress(), 8);
        file.append(new byte[] {9, 10, 11}, 1, 2);
        assertThat(file.position()).isEqualTo(10);
        file.sync();
      }
      store().syncDirectory(Objects.requireNonNull(path.getParent()));
      try (ReadableFile file = store().open(path)) {
        assertThat(file.name()).isEqualTo(path.toString());
        assertThat(file.size()).isEqualTo(10);
        file.readFully(6, buffer.memoryAddress(), 4);
        assertThat(buffer.getInt(0)).isEqualTo(0x0b0a0807);
        assertThatThrownBy(() -> file.readFully(7, buffer.memoryAddress(), 4))
            .isInstanceOf(EOFException.class)
            .hasMessageContaining(path.toString());
      }
    }
    assertThat(openFiles()).isZero();
  }

  @Test
  void createRefusesAnExistingFile() throws IOException {
    Path path = directory.resolve("file");
    write(path, new byte[1]);
    assertThatThrownBy(() -> store().create(path)).isInstanceOf(FileAlreadyExistsException.class);
    assertThat(openFiles()).isZero();
  }

  @Test
  void openRefusesAMissingFile() {
    assertThatThrownBy(() -> store().open(directory.resolve("none")))
        .isInstanceOf(NoSuchFileException.class);
    assertThatThrownBy(() -> store().delete(directory.resolve("none")))
        .isInstanceOf(NoSuchFileException.class);
  }

  @Test
  void replaceWritesTheWholeContent() throws IOException {
    Path path = directory.resolve("meta");
    store().replace(path, new byte[] {1, 2, 3});
    store().replace(path, new byte[] {4});
    assertThat(store().readAll(path)).containsExactly(4);
    assertThat(store().list(directory)).containsExactly("meta");
  }

  @Test
  void directoriesAreListedSortedAndRemovedWhole() throws IOException {
    Path tree = directory.resolve("tree");
    assertThat(store().list(tree)).isEmpty();
    write(tree.resolve("b"), new byte[1]);
    write(tree.resolve("a/x"), new byte[1]);
    write(tree.resolve("c"), new byte[1]);
    assertThat(store().list(tree)).containsExactly("a", "b", "c");
    store().delete(tree.resolve("c"));
    assertThat(store().exists(tree.resolve("c"))).isFalse();
    assertThat(store().exists(tree.resolve("a"))).isTrue();
    store().deleteTree(tree);
    assertThat(store().exists(tree)).isFalse();
    store().deleteTree(tree);
  }
}
