package dev.kudu4j.tablet.codec;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** All codecs, by number. */
public final class Codecs {
  public static final Codec LZ4 = new Lz4Codec();
  public static final Codec SNAPPY = new SnappyCodec();
  public static final Codec ZLIB = new ZlibCodec();
  public static final Codec ZSTD = new ZstdCodec();
  public static final Codec BZIP2 = new Bzip2Codec();

  /** Codec n is at index n - 1. */
  public static final List<Codec> ALL = List.of(LZ4, SNAPPY, ZLIB, ZSTD, BZIP2);

  private Codecs() {}

  /** The codec with the number, or null. */
  public static @Nullable Codec of(int number) {
    return number >= 1 && number <= ALL.size() ? ALL.get(number - 1) : null;
  }
}
