package dev.kudu4j.tablet.codec;

import com.github.luben.zstd.Zstd;
import org.jspecify.annotations.Nullable;

/** Zstandard frames at level {@value #LEVEL}. */
final class ZstdCodec extends Codec {
  private static final int LEVEL = 3;

  @Override
  public int number() {
    return 4;
  }

  @Override
  public String name() {
    return "zstd";
  }

  @Override
  public int bound(int bytes) {
    return Math.toIntExact(Zstd.compressBound(bytes));
  }

  @Override
  public int compress(long from, int bytes, long to, int room) {
    long length = Zstd.compressUnsafe(to, room, from, bytes, LEVEL);
    if (Zstd.isError(length)) {
      throw new IllegalStateException("zstd failed: " + Zstd.getErrorName(length));
    }
    return (int) length;
  }

  @Override
  public @Nullable String inflate(long from, int bytes, long to, int bodyBytes) {
    long found = Zstd.decompressUnsafe(to, bodyBytes, from, bytes);
    if (Zstd.isError(found)) {
      return "expected a body of %d bytes, found %s".formatted(bodyBytes, Zstd.getErrorName(found));
    }
    return found == bodyBytes ? null : wrongLength(bodyBytes, found);
  }
}
