package dev.kudu4j.tablet.codec;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kudu4j.common.memory.Memory;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * A codec restores what it compressed. It rejects corrupt bytes, and writes nothing outside of its
 * output.
 */
class CodecTest {
  private static final int GUARD = 64;
  private static final byte GUARDED = 0x5a;

  @Provide
  Arbitrary<Codec> codecs() {
    return Arbitraries.of(Codecs.ALL);
  }

  @Test
  void codecNumbersNeverChange() {
    assertThat(Codecs.ALL).extracting(Codec::number).containsExactly(1, 2, 3, 4, 5);
    assertThat(Codecs.ALL)
        .extracting(Codec::name)
        .containsExactly("LZ4", "Snappy", "zlib", "zstd", "bzip2");
    assertThat(Codecs.of(4)).isSameAs(Codecs.ZSTD);
    assertThat(Codecs.of(0)).isNull();
    assertThat(Codecs.of(-1)).isNull();
    assertThat(Codecs.of(6)).isNull();
  }

  @Property(tries = 300)
  void anyBytesAreRestored(
      @ForAll("codecs") Codec codec, @ForAll @IntRange(max = 20_000) int bytes, @ForAll int seed) {
    byte[] body = body(bytes, new Random(seed));
    try (BufferAllocator allocator = new RootAllocator();
        Inflated inflated = new Inflated(allocator, bytes)) {
      byte[] compressed = compress(codec, body, allocator);
      assertThat(inflated.from(codec, compressed, compressed.length)).isNull();
      assertThat(inflated.body()).isEqualTo(body);
    }
  }

  @Property(tries = 1500)
  void corruptBytesAreRejectedOrDecompressedToOtherBytes(
      @ForAll("codecs") Codec codec,
      @ForAll @IntRange(min = 1, max = 3000) int bytes,
      @ForAll @IntRange(min = 1, max = 8) int flips,
      @ForAll boolean cut,
      @ForAll int seed) {
    Random random = new Random(seed);
    byte[] body = body(bytes, random);
    try (BufferAllocator allocator = new RootAllocator();
        Inflated inflated = new Inflated(allocator, bytes)) {
      byte[] compressed = compress(codec, body, allocator);
      for (int i = 0; i < flips; i++) {
        compressed[random.nextInt(compressed.length)] ^= (byte) (1 << random.nextInt(8));
      }
      int length = cut ? random.nextInt(compressed.length) : compressed.length;
      inflated.from(codec, compressed, length); // it may fail or not, but must not crash
    }
  }

  @Test
  void aBodyOfAnotherLengthIsRefused() {
    for (Codec codec : Codecs.ALL) {
      byte[] body = body(1000, new Random(7));
      for (int expected : List.of(999, 1001, 0)) {
        try (BufferAllocator allocator = new RootAllocator();
            Inflated inflated = new Inflated(allocator, expected)) {
          byte[] compressed = compress(codec, body, allocator);
          assertThat(inflated.from(codec, compressed, compressed.length))
              .as("%s, %d bytes", codec, expected)
              .isNotNull();
        }
      }
    }
  }

  /** Runs, repetitions and noise. */
  private static byte[] body(int bytes, Random random) {
    byte[] body = new byte[bytes];
    int at = 0;
    while (at < bytes) {
      int end = Math.min(bytes, at + 1 + random.nextInt(200));
      int kind = random.nextInt(3);
      int start = at;
      byte same = (byte) random.nextInt();
      for (; at < end; at++) {
        body[at] =
            kind == 0 ? same : kind == 1 && start > 100 ? body[at - 100] : (byte) random.nextInt();
      }
    }
    return body;
  }

  private static byte[] compress(Codec codec, byte[] body, BufferAllocator allocator) {
    int bound = codec.bound(body.length);
    try (ArrowBuf from = allocator.buffer(body.length + 1);
        ArrowBuf to = allocator.buffer(bound)) {
      Memory.copy(body, 0, from.memoryAddress(), body.length);
      int length = codec.compress(from.memoryAddress(), body.length, to.memoryAddress(), bound);
      assertThat(length).isBetween(1, bound);
      byte[] compressed = new byte[length];
      Memory.copy(to.memoryAddress(), compressed, 0, length);
      return compressed;
    }
  }

  /** Room for a body, with guards on both sides that must not change. */
  private static final class Inflated implements AutoCloseable {
    private final BufferAllocator allocator;
    private final int bytes;
    private final ArrowBuf room;

    Inflated(BufferAllocator allocator, int bytes) {
      this.allocator = allocator;
      this.bytes = bytes;
      room = allocator.buffer(bytes + 2L * GUARD);
      Memory.fill(room.memoryAddress(), bytes + 2L * GUARD, GUARDED);
    }

    @Nullable String from(Codec codec, byte[] compressed, int length) {
      try (ArrowBuf from = allocator.buffer(compressed.length)) {
        Memory.copy(compressed, 0, from.memoryAddress(), compressed.length);
        String error =
            codec.inflate(from.memoryAddress(), length, room.memoryAddress() + GUARD, bytes);
        assertGuard(room.memoryAddress());
        assertGuard(room.memoryAddress() + GUARD + bytes);
        return error;
      }
    }

    private static void assertGuard(long address) {
      byte[] guard = new byte[GUARD];
      Memory.copy(address, guard, 0, GUARD);
      byte[] expected = new byte[GUARD];
      Arrays.fill(expected, GUARDED);
      assertThat(guard).isEqualTo(expected);
    }

    byte[] body() {
      byte[] body = new byte[bytes];
      Memory.copy(room.memoryAddress() + GUARD, body, 0, bytes);
      return body;
    }

    @Override
    public void close() {
      room.close();
    }
  }
}
