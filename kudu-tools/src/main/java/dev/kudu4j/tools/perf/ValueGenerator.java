package dev.kudu4j.tools.perf;

import java.util.SplittableRandom;
import java.util.function.LongSupplier;

/**
 * Generates the values of columns, each from the next number of a sequence or from a random number.
 * The same seed generates the same values. Not thread-safe.
 */
final class ValueGenerator {
  private static final char PADDING = 'x';

  private final LongSupplier numbers;
  private final int textLength;

  private ValueGenerator(LongSupplier numbers, int textLength) {
    this.numbers = numbers;
    this.textLength = textLength;
  }

  /**
   * @param random whether to use random numbers instead of a sequence from the seed
   * @param textLength number of characters of each text
   */
  static ValueGenerator of(boolean random, long seed, int textLength) {
    if (random) {
      return new ValueGenerator(new SplittableRandom(seed)::nextLong, textLength);
    }
    long[] next = {seed};
    return new ValueGenerator(() -> next[0]++, textLength);
  }

  /** A 64-bit number. */
  long number() {
    return numbers.getAsLong();
  }

  /** A number from 0 to {@code largest}, which is a power of two minus one. */
  long upTo(long largest) {
    return number() & largest;
  }

  /** The number and a dot, padded or truncated to the length of strings. */
  String text() {
    StringBuilder text = new StringBuilder(textLength);
    text.append(Long.toUnsignedString(number())).append('.');
    while (text.length() < textLength) {
      text.append(PADDING);
    }
    text.setLength(textLength);
    return text.toString();
  }
}
