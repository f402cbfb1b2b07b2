package dev.kudu4j.util;

import java.util.concurrent.TimeUnit;

/** Hybrid times of servers: microseconds since the epoch, and a logical counter in the low bits. */
public final class HybridTimeUtil {
  public static final int hybridTimeNumBitsToShift = 12;
  public static final int hybridTimeLogicalBitsMask = (1 << hybridTimeNumBitsToShift) - 1;

  private HybridTimeUtil() {}

  /** The hybrid time of a clock time, with counter zero. */
  public static long clockTimestampToHTTimestamp(long timestamp, TimeUnit unit) {
    return physicalAndLogicalToHTTimestamp(unit.toMicros(timestamp), 0);
  }

  /** Splits a hybrid time into microseconds and counter. */
  public static long[] HTTimestampToPhysicalAndLogical(long timestamp) {
    return new long[] {
      timestamp >> hybridTimeNumBitsToShift, timestamp & hybridTimeLogicalBitsMask
    };
  }

  /** The hybrid time of microseconds and a counter. */
  public static long physicalAndLogicalToHTTimestamp(long physical, long logical) {
    return (physical << hybridTimeNumBitsToShift) + logical;
  }
}
