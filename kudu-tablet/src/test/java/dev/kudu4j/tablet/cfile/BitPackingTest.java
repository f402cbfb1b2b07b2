package dev.kudu4j.tablet.cfile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kudu4j.common.memory.Memory;
import dev.kudu4j.tablet.memory.Allocators;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.junit.jupiter.api.Test;

/** Packed numbers are unpacked correctly, for every width and from every start. */
class BitPackingTest {
  @Property(tries = 200)
  void packedNumbersAreReadBack(
      @ForAll @IntRange(min = 0, max = 56) int bits,
      @ForAll @IntRange(min = 1, max = 300) int count,
      @ForAll int seed) {
    Random random = new Random(seed);
    long[] values = random.longs(count).map(v -> v & BitPacking.mask(bits)).toArray();
    int bytes = (int) BitPacking.packedBytes(count, bits);
    try (BufferAllocator allocator = Allocators.root(1 << 20);
        ArrowBuf packed = allocator.buffer(bytes);
        ArrowBuf cells = allocator.buffer(8L * count)) {
      long at = packed.memoryAddress();
      Memory.fill(at, bytes, (byte) 0);
      for (int i = 0; i < count; i++) {
        BitPacking.put(at, bits, i, values[i]);
      }
      int first = random.nextInt(count);
      int rest = count - first;
      BitPacking.unpackLongs(at, bits, first, rest, -5, cells.memoryAddress());
      for (int i = 0; i < rest; i++) {
        assertThat(BitPacking.get(at, bits, first + i)).isEqualTo(values[first + i]);
        assertThat(Memory.getLong(cells.memoryAddress() + 8L * i)).isEqualTo(values[first + i] - 5);
      }
      if (bits <= 31) {
        int[] codes = new int[rest];
        BitPacking.unpack(at, bits, first, codes, 0, rest);
        BitPacking.unpackInts(at, bits, first, rest, 7, cells.memoryAddress());
        for (int i = 0; i < rest; i++) {
          assertThat(codes[i]).isEqualTo((int) values[first + i]);
          assertThat(Memory.getInt(cells.memoryAddress() + 4L * i)).isEqualTo(codes[i] + 7);
        }
      }
    }
  }

  @Test
  void theWidthIsThatOfTheLargestNumber() {
    assertThat(BitPacking.bitsFor(0)).isZero();
    assertThat(BitPacking.bitsFor(1)).isEqualTo(1);
    assertThat(BitPacking.bitsFor(255)).isEqualTo(8);
    assertThat(BitPacking.bitsFor(256)).isEqualTo(9);
    assertThat(BitPacking.bitsFor(-1)).isEqualTo(64);
  }
}
