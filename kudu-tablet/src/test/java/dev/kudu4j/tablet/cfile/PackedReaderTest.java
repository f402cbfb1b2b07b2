package dev.kudu4j.tablet.cfile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kudu4j.common.memory.Memory;
import dev.kudu4j.tablet.memory.Allocators;
import java.util.Arrays;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;

/**
 * Reads of numbers in lanes equal reads in row order, for single numbers, ranges and filters, at
 * every width.
 */
class PackedReaderTest {
  @Property(tries = 150)
  void packedNumbersReadBack(
      @ForAll @IntRange(min = 0, max = 40) int bits,
      @ForAll @IntRange(min = 1, max = 12_000) int rows,
      @ForAll int seed) {
    Random random = new Random(seed);
    long[] values = random.longs(rows).map(v -> v & BitPacking.mask(bits)).toArray();
    int bytes = (int) PackedReader.bytes(rows, bits);
    try (BufferAllocator allocator = Allocators.root(1 << 24);
        ArrowBuf packed = allocator.buffer(Math.max(1, bytes))) {
      long at = packed.memoryAddress();
      Memory.fill(at, bytes, (byte) 0);
      for (int i = 0; i < rows; i++) {
        PackedReader.put(at, rows, bits, i, values[i]);
      }
      PackedReader reader = new PackedReader();
      reader.open(at, rows, bits);
      for (int i = 0; i < 5; i++) {
        int first = i == 0 ? 0 : random.nextInt(rows);
        first = i % 2 == 0 ? first : first & -256;
        int count = 1 + random.nextInt(rows - first);
        checkReads(reader, values, first, count, bits);
        checkRange(reader, values, first, count, random, bits);
      }
    }
  }

  private static void checkReads(
      PackedReader reader, long[] values, int first, int count, int bits) {
    long[] longs = new long[count + 1];
    reader.unpackLongs(first, count, 3, longs, 1);
    int[] ints = new int[count + 1];
    if (bits <= LanePacking.MAX_BITS) {
      reader.unpack(first, count, ints, 1);
    }
    for (int i = 0; i < count; i++) {
      assertThat(longs[i + 1]).isEqualTo(values[first + i] + 3);
      assertThat(reader.get(first + i)).isEqualTo(values[first + i]);
      assertThat(bits > LanePacking.MAX_BITS || ints[i + 1] == values[first + i]).isTrue();
    }
  }

  private static void checkRange(
      PackedReader reader, long[] values, int first, int count, Random random, int bits) {
    long a = values[random.nextInt(values.length)];
    long b = random.nextBoolean() ? a : random.nextLong() & BitPacking.mask(bits);
    long low = Math.min(a, b);
    long high = Math.max(a, b);
    long[] wanted = new long[(count + 63) >>> 6];
    Arrays.setAll(wanted, i -> random.nextInt(5) == 0 ? 0 : ~random.nextLong(1L << 40));
    if ((count & 63) != 0) {
      wanted[count >>> 6] &= (1L << count) - 1;
    }
    long[] kept = wanted.clone();
    reader.retain(first, count, low, high, kept);
    for (int i = 0; i < count; i++) {
      long value = values[first + i];
      boolean before = (wanted[i >>> 6] & 1L << i) != 0;
      assertThat((kept[i >>> 6] & 1L << i) != 0).isEqualTo(before && value >= low && value <= high);
    }
  }
}
