package dev.kudu4j.tablet.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kudu4j.common.memory.Memory;
import java.nio.ByteBuffer;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.junit.jupiter.api.Test;

/** Arrow's memory works in a JVM without flags. */
class AllocatorsTest {
  @Test
  void buffersAndTheirNioViewsNeedNoJvmFlag() {
    try (BufferAllocator root = Allocators.root(1 << 20);
        ArrowBuf buffer = root.buffer(64)) {
      ByteBuffer view = Memory.byteBuffer(buffer.memoryAddress(), 64);
      view.putLong(8, 42);
      assertThat(view.isDirect()).isTrue();
      assertThat(buffer.getLong(8)).isEqualTo(42);
      assertThat(view.remaining()).isEqualTo(64);
      assertThat(root.getAllocatedMemory()).isPositive();
    }
  }
}
