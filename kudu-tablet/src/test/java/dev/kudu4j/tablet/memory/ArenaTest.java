package dev.kudu4j.tablet.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kudu4j.common.memory.Memory;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.apache.arrow.memory.BufferAllocator;
import org.junit.jupiter.api.Test;

class ArenaTest {
  @Property(tries = 50)
  void allocationsAreAlignedAndDoNotOverlap(@ForAll long seed) {
    Random random = new Random(seed);
    try (BufferAllocator root = Allocators.root(1 << 28);
        Arena arena = new Arena(root, 64 << 10)) {
      List<long[]> pieces = new ArrayList<>();
      for (int i = 0; i < 300; i++) {
        int bytes = 1 + random.nextInt(random.nextInt(20) == 0 ? 100_000 : 700);
        long address = arena.allocate(bytes);
        assertThat(address % 8).isZero();
        Memory.fill(address, bytes, (byte) i);
        pieces.add(new long[] {address, bytes, i});
      }
      for (long[] piece : pieces) {
        for (long at = piece[0]; at < piece[0] + piece[1]; at += 37) {
          assertThat(Memory.getByte(at)).isEqualTo((byte) piece[2]);
        }
        assertThat(Memory.getByte(piece[0] + piece[1] - 1)).isEqualTo((byte) piece[2]);
      }
      assertThat(arena.bytes()).isEqualTo(root.getAllocatedMemory());
    }
  }

  @Test
  void holdsNothingBeforeTheFirstByteAndAfterClose() {
    try (BufferAllocator root = Allocators.root(1 << 24)) {
      Arena arena = new Arena(root, 1 << 20);
      assertThat(root.getAllocatedMemory()).isZero();
      arena.allocate(1);
      assertThat(arena.bytes()).isBetween(1L, 64L << 10);
      arena.close();
      arena.close();
      assertThat(root.getAllocatedMemory()).isZero();
      assertThat(arena.bytes()).isZero();
    }
  }
}
