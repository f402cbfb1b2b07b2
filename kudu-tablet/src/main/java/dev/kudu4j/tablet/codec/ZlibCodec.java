package dev.kudu4j.tablet.codec;

import dev.kudu4j.common.memory.Memory;
import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import java.util.zip.Inflater;
import org.jspecify.annotations.Nullable;

/** zlib at its default level, in the implementation of the JDK. */
final class ZlibCodec extends Codec {
  @Override
  public int number() {
    return 3;
  }

  @Override
  public String name() {
    return "zlib";
  }

  /** Like zlib's compressBound(), with a margin. */
  @Override
  public int bound(int bytes) {
    return Math.addExact(bytes, (bytes >>> 10) + 64);
  }

  @Override
  public int compress(long from, int bytes, long to, int room) {
    Deflater deflater = new Deflater();
    try {
      deflater.setInput(Memory.byteBuffer(from, bytes));
      deflater.finish();
      int length = deflater.deflate(Memory.byteBuffer(to, room));
      if (!deflater.finished()) {
        throw new IllegalStateException("zlib exceeded its bound for " + bytes + " bytes");
      }
      return length;
    } finally {
      deflater.end();
    }
  }

  @Override
  public @Nullable String inflate(long from, int bytes, long to, int bodyBytes) {
    Inflater inflater = new Inflater();
    try {
      inflater.setInput(Memory.byteBuffer(from, bytes));
      int found = inflater.inflate(Memory.byteBuffer(to, bodyBytes));
      return found == bodyBytes && inflater.finished() && inflater.getRemaining() == 0
          ? null
          : wrongLength(bodyBytes, found);
    } catch (DataFormatException e) {
      return "expected a body of %d bytes, found %s".formatted(bodyBytes, e.getMessage());
    } finally {
      inflater.end();
    }
  }
}
