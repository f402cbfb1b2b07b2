package dev.kudu4j.tablet.delta;

import dev.kudu4j.common.memory.Memory;

/**
 * A change in a chain in memory, newest first. Immutable once its address has been published.
 *
 * <pre>
 *   next older i64 (0 ends) | timestamp i64 | sequence within the request i32 | change length i32 | change (RowChange)
 * </pre>
 *
 * <p>Static accessors over an address; the arena that holds it must be open.
 */
public final class Mutation {
  public static final int HEADER_BYTES = 24;

  private Mutation() {}

  public static long next(long mutation) {
    return Memory.getLong(mutation);
  }

  public static long timestamp(long mutation) {
    return Memory.getLong(mutation + 8);
  }

  /** Position of the row in its request: orders changes of one timestamp. */
  public static int sequence(long mutation) {
    return Memory.getInt(mutation + 16);
  }

  public static int changeLength(long mutation) {
    return Memory.getInt(mutation + 20);
  }

  public static long changeAddress(long mutation) {
    return mutation + HEADER_BYTES;
  }
}
