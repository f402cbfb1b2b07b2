package dev.kudu4j.tablet.codec;

import java.io.IOException;
import java.io.UncheckedIOException;
import org.jspecify.annotations.Nullable;
import org.xerial.snappy.Snappy;

/**
 * Raw Snappy, without a frame. The library writes as many bytes as the stream's header states, so
 * the header is compared with the output size first.
 */
final class SnappyCodec extends Codec {
  @Override
  public int number() {
    return 2;
  }

  @Override
  public String name() {
    return "Snappy";
  }

  @Override
  public int bound(int bytes) {
    return Snappy.maxCompressedLength(bytes);
  }

  @Override
  public int compress(long from, int bytes, long to, int room) {
    try {
      return (int) Snappy.rawCompress(from, bytes, to);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public @Nullable String inflate(long from, int bytes, long to, int bodyBytes) {
    try {
      long stated = Snappy.uncompressedLength(from, bytes);
      if (stated != bodyBytes) {
        return wrongLength(bodyBytes, stated);
      }
      long found = Snappy.rawUncompress(from, bytes, to);
      return found == bodyBytes ? null : wrongLength(bodyBytes, found);
    } catch (IOException e) {
      return "expected a body of %d bytes, found %s".formatted(bodyBytes, e.getMessage());
    }
  }
}
