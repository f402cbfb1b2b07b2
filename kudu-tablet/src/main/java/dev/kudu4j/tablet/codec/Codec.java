package dev.kudu4j.tablet.codec;

import org.jspecify.annotations.Nullable;

/**
 * Compresses and decompresses the body of a block. Works on raw memory that the caller owns; the
 * caller guarantees the sizes that it passes.
 *
 * <p>Compressed bytes come from disk. {@link #inflate} accepts arbitrary bytes and never writes
 * outside the given memory. Thread-safe.
 */
public abstract class Codec {
  /** The number in the block's frame, from 1; never reused. */
  public abstract int number();

  /** The name in dumps. */
  public abstract String name();

  /** The maximum compressed size of {@code bytes} bytes. */
  public abstract int bound(int bytes);

  /**
   * Compresses into memory of at least {@link #bound} bytes.
   *
   * @return the compressed length
   */
  public abstract int compress(long from, int bytes, long to, int room);

  /**
   * Decompresses a body of exactly the given length.
   *
   * @return null, or a description of the corruption; the output is undefined then
   */
  public abstract @Nullable String inflate(long from, int bytes, long to, int bodyBytes);

  static String wrongLength(int expected, long found) {
    return "expected a body of %d bytes, found %d".formatted(expected, found);
  }

  @Override
  public final String toString() {
    return name();
  }
}
