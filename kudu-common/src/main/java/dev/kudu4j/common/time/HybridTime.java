package dev.kudu4j.common.time;

/**
 * A hybrid timestamp is an unsigned 64-bit number: microseconds since the epoch shifted left by 12,
 * plus a logical counter in the low 12 bits. It is passed around as a bare {@code long}; compare
 * with {@link Long#compareUnsigned} only where numbers may come from outside (ours never reach the
 * sign bit).
 */
public final class HybridTime {
  public static final int LOGICAL_BITS = 12;

  /** Below every timestamp that a clock hands out. */
  public static final long MIN = 0;

  /** Above every timestamp that a clock hands out: a snapshot that sees everything. */
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
