package dev.kudu4j.tablet.file;

import dev.kudu4j.common.memory.Memory;
import net.jpountz.lz4.LZ4Compressor;
import net.jpountz.lz4.LZ4Factory;
import net.jpountz.lz4.LZ4SafeDecompressor;

/**
 * LZ4 over raw memory. The safe decompressor of the native library is also the fast one; the one
 * that is named fast is several times slower.
 */
final class Lz4 {
  private static final LZ4Compressor COMPRESSOR = LZ4Factory.fastestInstance().fastCompressor();
  private static final LZ4SafeDecompressor DECOMPRESSOR =
      LZ4Factory.fastestInstance().safeDecompressor();

  private Lz4() {}

  static int bound(int bytes) {
    return COMPRESSOR.maxCompressedLength(bytes);
  }

  /** Compresses into room of {@link #bound} bytes; returns the compressed length. */
  static int compress(long from, int bytes, long to, int room) {
    return COMPRESSOR.compress(
        Memory.byteBuffer(from, bytes), 0, bytes, Memory.byteBuffer(to, room), 0, room);
  }

  /**
   * Returns the decompressed length, at most {@code room}.
   *
   * @throws net.jpountz.lz4.LZ4Exception when the bytes are not LZ4 or need more room
   */
  static int decompress(long from, int bytes, long to, int room) {
    return DECOMPRESSOR.decompress(
        Memory.byteBuffer(from, bytes), 0, bytes, Memory.byteBuffer(to, room), 0, room);
  }
}
