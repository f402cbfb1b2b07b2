package dev.kudu4j.tablet.codec;

/**
 * Makes a block's body smaller and gives it back. Works on raw memory, which is borrowed; the
 * caller has made sure that it holds what the arguments say.
 *
 * <p>Compressed bytes come from disk: {@link #inflate} trusts none of them, and never writes
 * outside the room it was given. Any thread.
 */
public abstract class Codec {
  /** The number in the block's frame, from 1; never used again for something else. */
  public abstract int number();

  /** The name for people. */
  public abstract String name();

  /** Bytes that so many may become at worst. */
  public abstract int bound(int bytes);

  /**
   * Compresses into room for {@link #bound} bytes.
   *
   * @return the compressed length
   */
  public abstract int compress(long from, int bytes, long to, int room);

  /**
   * Gives back a body of exactly that length.
   *
   * @return null, or what is wrong with the compressed bytes; then the room's content means nothing
   */
  public abstract String inflate(long from, int bytes, long to, int bodyBytes);

  static String wrongLength(int expected, long found) {
    return "expected a body of %d bytes, found %d".formatted(expected, found);
  }

  @Override
  public final String toString() {
    return name();
  }
}
