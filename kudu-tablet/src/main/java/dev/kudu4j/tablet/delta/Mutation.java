package dev.kudu4j.tablet.delta;

import dev.kudu4j.common.memory.Memory;
import dev.kudu4j.tablet.memory.Arena;

/**
 * A change in an in-memory chain, which links the changes of a row from the newest to the oldest.
 * Immutable once its address is published.
 *
 * <pre>
 *   [jump i64 | columns i64 | depth i64]     before the address; only if there is an older mutation
 *   next older i64 (0 ends) | timestamp i64 | sequence within the request i32
 *       | change length i32 | change (RowChange)
 * </pre>
 *
 * <p>A row may change a hundred thousand times before it is flushed. A reader may need a cell that
 * only the first change set, or may read at a snapshot that precedes most changes. Therefore a
 * mutation also stores a <em>jump</em>, the address of a much older mutation. It also stores the
 * set of columns that are set by itself and by the mutations between it and the jump's target. The
 * depths determine the jump (an applicative random access stack), so any older mutation is O(log n)
 * steps away. A row that changes only once stores no jump.
 *
 * <pre>
 *   depth    0 ←-- 1 ←-- 2 ←-- 3 ←-- 4 ←-- 5 ←-- 6 ←-- 7       next
 *            0 ←-- 1 ←-- 2                                     jump, where it is not the next:
 *            0 ←---------------- 3 ←---------- 6               3 to 0, 6 to 3, 7 to 0, ...
 *            0 ←---------------------------------------- 7
 * </pre>
 *
 * <p>Columns are a set of 64 bits, see {@link RowChange#columnBit}. A DELETE or REINSERT counts as
 * setting all columns, so a search for a cell never jumps over it.
 *
 * <p>All methods are static and take the address of a mutation, whose arena must be open. An entry
 * of a delta file has the same fields at the same offsets, with the ordinal in place of the address
 * of the next older mutation. {@link #timestamp}, {@link #sequence}, {@link #changeLength} and
 * {@link #changeAddress} can read such an entry; it has no chain.
 */
public final class Mutation {
  public static final int HEADER_BYTES = 24;

  private static final int JUMP_BYTES = 24;

  private Mutation() {}

  /**
   * Writes a mutation into the arena as the newest of its chain; the caller publishes its address.
   */
  public static long write(
      Arena arena,
      long older,
      long timestamp,
      int sequence,
      byte[] change,
      int offset,
      int length) {
    int front = older == 0 ? 0 : JUMP_BYTES;
    long mutation = arena.allocate(front + HEADER_BYTES + length) + front;
    Memory.putLong(mutation, older);
    Memory.putLong(mutation + 8, timestamp);
    Memory.putInt(mutation + 16, sequence);
    Memory.putInt(mutation + 20, length);
    Memory.copy(change, offset, mutation + HEADER_BYTES, length);
    if (older != 0) {
      writeJump(mutation, older);
    }
    return mutation;
  }

  /**
   * Stores the jump of a new mutation. If the jump of {@code older} and the jump of that jump's
   * target are equally long, the new jump spans both of them. Otherwise it leads to {@code older}.
   */
  private static void writeJump(long mutation, long older) {
    long far = jump(older);
    long farther = jump(far);
    long columns = RowChange.columnMask(changeAddress(mutation));
    boolean over = far != older && depth(older) - depth(far) == depth(far) - depth(farther);
    if (over) {
      columns |= columnsToJump(older) | columnsToJump(far);
    }
    Memory.putLong(mutation - 24, over ? farther : older);
    Memory.putLong(mutation - 16, columns);
    Memory.putLong(mutation - 8, depth(older) + 1);
  }

  /** The next older mutation, or 0. */
  public static long next(long mutation) {
    return Memory.getLong(mutation);
  }

  /**
   * The mutation that the jump leads to, often a much older one; the oldest mutation leads to
   * itself.
   */
  public static long jump(long mutation) {
    return next(mutation) == 0 ? mutation : Memory.getLong(mutation - 24);
  }

  /**
   * The columns set by this mutation and by the mutations between it and the target of its jump;
   * the empty set for the oldest mutation.
   */
  public static long columnsToJump(long mutation) {
    return next(mutation) == 0 ? 0 : Memory.getLong(mutation - 16);
  }

  private static long depth(long mutation) {
    return next(mutation) == 0 ? 0 : Memory.getLong(mutation - 8);
  }

  /** The newest mutation of the chain with a timestamp below the given one, or 0. */
  public static long newestBelow(long newest, long timestamp) {
    long mutation = newest;
    while (mutation != 0 && timestamp(mutation) >= timestamp) {
      long jump = jump(mutation);
      mutation = timestamp(jump) >= timestamp && jump != mutation ? jump : next(mutation);
    }
    return mutation;
  }

  public static long timestamp(long mutation) {
    return Memory.getLong(mutation + 8);
  }

  /** The position of the row in its request; orders changes with the same timestamp. */
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
