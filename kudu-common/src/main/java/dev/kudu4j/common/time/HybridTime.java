package dev.kudu4j.common.time;

/**
 * A hybrid timestamp is an unsigned 64-bit number: microseconds since the epoch shifted left by 12,
 * plus a logical counter in the low 12 bits. It is represented as a plain {@code long}. Use {@link
 * Long#compareUnsigned} only for timestamps from other processes; timestamps of this process never
 * reach the sign bit.
 */
public final class HybridTime {
  public static final int LOGICAL_BITS = 12;

  /** Less than every timestamp that a clock returns. */
  public static final long MIN = 0;

  /** Greater than every timestamp that a clock returns: a snapshot that sees everything. */
  public static final long MAX = Long.MAX_VALUE;

  private HybridTime() {}

  public static long ofMicros(long micros) {
    return micros << LOGICAL_BITS;
  }

  public static long of(long micros, int logical) {
    return (micros << LOGICAL_BITS) + logical;
  }

  public static long micros(long timestamp) {
    return timestamp >>> LOGICAL_BITS;
  }

  public static int logical(long timestamp) {
    return (int) (timestamp & ((1 << LOGICAL_BITS) - 1));
  }
}
