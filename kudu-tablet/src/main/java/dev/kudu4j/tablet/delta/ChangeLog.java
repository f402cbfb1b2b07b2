package dev.kudu4j.tablet.delta;

import dev.kudu4j.tablet.memory.AddressLog;
import dev.kudu4j.tablet.memory.Arena;

/**
 * The changes of a store in the order in which they were added, which is that of their timestamps,
 * so those of a time are found by a binary search. Changes that were carried over from another
 * store may be out of order. They are the first ones, and are searched one by one.
 *
 * <p>One writer; any number of readers, which see each change that was added before they began.
 */
public final class ChangeLog {
  private static final int NUMBERS_PER_CHANGE = 2;

  /** Pairs: the row, and the address of its {@link Mutation}. */
  private final AddressLog log;

  /** All changes from this one on are in order, and not below those before it. */
  private volatile int firstInOrder;

  private long maxTimestamp; // writer only

  /**
   * @param arena owns the memory of the log
   * @param chunkBits see {@link AddressLog}
   */
  public ChangeLog(Arena arena, int chunkBits) {
    this.log = new AddressLog(arena, chunkBits);
  }

  /**
   * Appends a change. Writer only.
   *
   * @param row its address or its ordinal
   */
  public void add(long row, long mutation) {
    long timestamp = Mutation.timestamp(mutation);
    if (timestamp < maxTimestamp) {
      firstInOrder = count() + 1;
    } else {
      maxTimestamp = timestamp;
    }
    log.add(row, mutation);
  }

  /** The number of changes. Any thread. Those that are added later come behind them. */
  public int count() {
    return log.count() / NUMBERS_PER_CHANGE;
  }

  /** The address or ordinal of the row of a change; {@code index} is below a known count. */
  public long row(int index) {
    return log.get(NUMBERS_PER_CHANGE * index);
  }

  /** The address of a change; {@code index} is below a known count. */
  public long mutation(int index) {
    return log.get(NUMBERS_PER_CHANGE * index + 1);
  }

  private long timestamp(int index) {
    return Mutation.timestamp(mutation(index));
  }

  /** A cursor before the first change at or after a time. */
  public Cursor cursor(long from) {
    return new Cursor(from);
  }

  private int firstFrom(long timestamp, int begin, int end) {
    int low = begin;
    int high = end;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (timestamp(middle) < timestamp) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /** Iterates over changes. */
  public final class Cursor {
    private final long from;
    private final int end;
    private final int ordered;
    private int next;

    private Cursor(long from) {
      this.from = from;
      this.end = count();
      this.ordered = firstInOrder; // read after the count, so it holds for all of them
    }

    /**
     * Moves to the next change. Returns false if there is none.
     *
     * @param to the highest timestamp that is wanted; it may become lower from call to call
     */
    public boolean next(long to) {
      while (next < Math.min(ordered, end)) {
        long timestamp = ChangeLog.this.timestamp(next++);
        if (timestamp >= from && timestamp <= to) {
          return true;
        }
      }
      if (next == ordered) {
        next = firstFrom(from, ordered, end);
      }
      return next < end && ChangeLog.this.timestamp(next++) <= to;
    }

    /** The address or ordinal of the row that changed. */
    public long row() {
      return ChangeLog.this.row(next - 1);
    }

    public long timestamp() {
      return ChangeLog.this.timestamp(next - 1);
    }
  }
}
