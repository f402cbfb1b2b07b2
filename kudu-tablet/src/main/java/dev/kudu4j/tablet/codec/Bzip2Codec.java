package dev.kudu4j.tablet.codec;

import dev.kudu4j.common.memory.Memory;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.apache.commons.compress.compressors.bzip2.BZip2CompressorInputStream;
import org.apache.commons.compress.compressors.bzip2.BZip2CompressorOutputStream;
import org.jspecify.annotations.Nullable;

/** bzip2, implemented in Java on the heap: good compression but slow, for rarely read data. */
final class Bzip2Codec extends Codec {
  @Override
  public int number() {
    return 5;
  }

  @Override
  public String name() {
    return "bzip2";
  }

  /** The format's worst case exceeds the input by 1 % plus 600 bytes. */
  @Override
  public int bound(int bytes) {
    return Math.addExact(bytes, (bytes >>> 6) + 1024);
  }

  @Override
  public int compress(long from, int bytes, long to, int room) {
    byte[] body = new byte[bytes];
    Memory.copy(from, body, 0, bytes);
    ByteArrayOutputStream compressed = new ByteArrayOutputStream(bytes / 4 + 64);
    try (BZip2CompressorOutputStream stream = new BZip2CompressorOutputStream(compressed)) {
      stream.write(body, 0, bytes);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    byte[] result = compressed.toByteArray();
    if (result.length > room) {
      throw new IllegalStateException("bzip2 exceeded its bound for " + bytes + " bytes");
    }
    Memory.copy(result, 0, to, result.length);
    return result.length;
  }

  @Override
  public @Nullable String inflate(long from, int bytes, long to, int bodyBytes) {
    byte[] compressed = new byte[bytes];
    Memory.copy(from, compressed, 0, bytes);
    try (BZip2CompressorInputStream stream =
        new BZip2CompressorInputStream(new ByteArrayInputStream(compressed))) {
      byte[] body = stream.readNBytes(bodyBytes);
      if (body.length != bodyBytes || stream.read() >= 0) {
        return wrongLength(bodyBytes, body.length);
      }
      Memory.copy(body, 0, to, bodyBytes);
      return null;
    } catch (IOException | RuntimeException e) {
      // If the input is corrupt, the decoder may throw a RuntimeException.
      return "expected a body of %d bytes, found %s".formatted(bodyBytes, e);
    }
  }
}
