package dev.kudu4j.tablet.codec;

import dev.kudu4j.common.memory.Memory;
import net.jpountz.lz4.LZ4Compressor;
import net.jpountz.lz4.LZ4Exception;
import net.jpountz.lz4.LZ4Factory;
import net.jpountz.lz4.LZ4SafeDecompressor;
import org.jspecify.annotations.Nullable;

/**
 * LZ4 blocks. The safe decompressor of the native library is also the fastest; its "fast"
 * decompressor is several times slower.
 */
final class Lz4Codec extends Codec {
  private static final LZ4Compressor COMPRESSOR = LZ4Factory.fastestInstance().fastCompressor();
  private static final LZ4SafeDecompressor DECOMPRESSOR =
      LZ4Factory.fastestInstance().safeDecompressor();

  @Override
  public int number() {
    return 1;
  }

  @Override
  public String name() {
    return "LZ4";
  }

  @Override
  public int bound(int bytes) {
    return COMPRESSOR.maxCompressedLength(bytes);
  }

  @Override
  public int compress(long from, int bytes, long to, int room) {
    return COMPRESSOR.compress(
        Memory.byteBuffer(from, bytes), 0, bytes, Memory.byteBuffer(to, room), 0, room);
  }

  @Override
  public @Nullable String inflate(long from, int bytes, long to, int bodyBytes) {
    try {
      int found =
          DECOMPRESSOR.decompress(
              Memory.byteBuffer(from, bytes),
              0,
              bytes,
              Memory.byteBuffer(to, bodyBytes),
              0,
              bodyBytes);
      return found == bodyBytes ? null : wrongLength(bodyBytes, found);
    } catch (LZ4Exception e) {
      return "expected a body of %d bytes, found %s".formatted(bodyBytes, e.getMessage());
    }
  }
}
