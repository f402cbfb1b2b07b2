package dev.kudu4j.tools.perf;

import java.util.SplittableRandom;
import java.util.function.LongSupplier;

/**
 * Generates the values of columns, each from one number of a sequence, or from a random one. The
 * same seed yields the same values. Not thread-safe.
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
   * @param random whether numbers are random, or count up from the seed
   * @param textLength characters of each text
   */
  static ValueGenerator of(boolean random, long seed, int textLength) {
    if (random) {
      return new ValueGenerator(new SplittableRandom(seed)::nextLong, textLength);
    }
    long[] next = {seed};
    return new ValueGenerator(() -> next[0]++, textLength);
  }

  /** A number of 64 bits. */
  long number() {
    return numbers.getAsLong();
  }

  /** A number from 0 to the largest, which is a power of two less one. */
  long upTo(long largest) {
    return number() & largest;
  }

  /** The number and a dot, filled up or cut off to the length of texts. */
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
