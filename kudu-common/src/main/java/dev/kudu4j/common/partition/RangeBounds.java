package dev.kudu4j.common.partition;

import java.util.Arrays;
import java.util.HexFormat;

/**
 * A range partition: lower ≤ encoded range key &lt; upper. An empty bound means unbounded. The
 * arrays are shared; nobody may change them.
 *
 * @param lower encoded range columns, inclusive
 * @param upper encoded range columns, exclusive
 */
public record RangeBounds(byte[] lower, byte[] upper) implements Comparable<RangeBounds> {
  private static final byte[] NOTHING = new byte[0];

  /** The range that contains every key. */
  public static final RangeBounds UNBOUNDED = new RangeBounds(NOTHING, NOTHING);

  public boolean hasLower() {
    return lower.length > 0;
  }

  public boolean hasUpper() {
    return upper.length > 0;
  }

  /** Whether the range contains no key: the lower bound is not below the upper one. */
  public boolean isEmpty() {
    return hasUpper() && Arrays.compareUnsigned(lower, upper) >= 0;
  }

  public boolean overlaps(RangeBounds other) {
    return (!hasUpper() || Arrays.compareUnsigned(other.lower, upper) < 0)
        && (!other.hasUpper() || Arrays.compareUnsigned(lower, other.upper) < 0);
  }

  /** Whether the range contains the encoded range key at {@code [from, to)} of the array. */
  public boolean contains(byte[] key, int from, int to) {
    return Arrays.compareUnsigned(lower, 0, lower.length, key, from, to) <= 0
        && (!hasUpper() || Arrays.compareUnsigned(upper, 0, upper.length, key, from, to) > 0);
  }

  /** Orders by lower bound. */
  @Override
  public int compareTo(RangeBounds other) {
    int order = Arrays.compareUnsigned(lower, other.lower);
    if (order != 0 || hasUpper() != other.hasUpper()) {
      return order != 0 ? order : hasUpper() ? -1 : 1;
    }
    return Arrays.compareUnsigned(upper, other.upper);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof RangeBounds that
        && Arrays.equals(lower, that.lower)
        && Arrays.equals(upper, that.upper);
  }

  @Override
  public int hashCode() {
    return 31 * Arrays.hashCode(lower) + Arrays.hashCode(upper);
  }

  @Override
  public String toString() {
    HexFormat hex = HexFormat.of();
    return "[" + hex.formatHex(lower) + ", " + hex.formatHex(upper) + ")";
  }
}
