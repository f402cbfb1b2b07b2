package dev.kudu4j.tablet.delta;

import dev.kudu4j.common.memory.Memory;
import dev.kudu4j.tablet.memory.Arena;

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

  /** Writes a mutation into the arena, before the older ones; the caller publishes its address. */
  public static long write(
      Arena arena,
      long older,
      long timestamp,
      int sequence,
      byte[] change,
      int offset,
      int length) {
    long mutation = arena.allocate(HEADER_BYTES + length);
    Memory.putLong(mutation, older);
    Memory.putLong(mutation + 8, timestamp);
    Memory.putInt(mutation + 16, sequence);
    Memory.putInt(mutation + 20, length);
    Memory.copy(change, offset, mutation + HEADER_BYTES, length);
    return mutation;
  }

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
