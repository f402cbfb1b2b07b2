package dev.kudu4j.tablet.env;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kudu4j.tablet.memory.Allocators;
import java.nio.file.Path;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.junit.jupiter.api.Test;

/** The store on the operating system fulfils the contract. */
class LocalFileStoreTest extends FileStoreContract {
  private final LocalFileStore store = new LocalFileStore();

  @Override
  FileStore store() {
    return store;
  }

  @Override
  int openFiles() {
    return store.openFiles();
  }

  @Test
  void anInterruptedReaderDoesNotCloseTheFileForOthers() throws Exception {
    Path path = directory.resolve("file");
    write(path, new byte[] {1, 2, 3, 4});
    try (BufferAllocator allocator = Allocators.root(1 << 20);
        ArrowBuf buffer = allocator.buffer(4);
        ReadableFile file = store().open(path)) {
      Thread.currentThread().interrupt();
      file.readFully(0, buffer.memoryAddress(), 4);
      assertThat(Thread.interrupted()).isTrue();
      buffer.setInt(0, 0);
      file.readFully(1, buffer.memoryAddress(), 3);
      assertThat(buffer.getByte(2)).isEqualTo((byte) 4);
    }
    assertThat(openFiles()).isZero();
  }
}
