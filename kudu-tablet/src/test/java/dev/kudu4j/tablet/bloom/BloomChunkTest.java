package dev.kudu4j.tablet.bloom;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kudu4j.common.memory.Memory;
import dev.kudu4j.tablet.memory.Allocators;
import java.util.Random;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BloomChunkTest {
  private static final int PROBES = 200_000;

  @ParameterizedTest
  @ValueSource(ints = {1000, 33_000, 300_000})
  void theFalsePositiveRateIsOnePercent(int keys) {
    int bytes = BloomChunk.bytesFor(keys);
    try (BufferAllocator allocator = Allocators.root(1 << 24);
        ArrowBuf buffer = allocator.buffer(bytes)) {
      long filter = buffer.memoryAddress();
      Memory.fill(filter, bytes, (byte) 0);
      Random random = new Random(keys);
      long[] present = random.longs(keys).toArray();
      for (long key : present) {
        BloomChunk.add(filter, bytes, hash(key));
      }
      for (long key : present) {
        assertThat(BloomChunk.mayContain(filter, bytes, hash(key))).isTrue();
      }
      int wrong = 0;
      for (int i = 0; i < PROBES; i++) {
        wrong += BloomChunk.mayContain(filter, bytes, hash(random.nextLong())) ? 1 : 0;
      }
      assertThat(wrong / (double) PROBES).isBetween(0.007, 0.0115);
      assertThat(8.0 * bytes / keys).isLessThan(10.8);
    }
  }

  private static long hash(long key) {
    byte[] bytes = new byte[8];
    for (int i = 0; i < 8; i++) {
      bytes[i] = (byte) (key >>> (8 * i));
    }
    return KeyHash.of(bytes, 0, 8);
  }
}
