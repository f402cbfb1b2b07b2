package dev.kudu4j.tablet.checkpoint;

import dev.kudu4j.tablet.delta.ChangeLog;
import dev.kudu4j.tablet.delta.Mutation;
import java.util.Arrays;

/**
 * Tells the changes of a frozen MemRowSet, which it had at the boundary, from later ones, which are
 * appended to the same chains.
 *
 * <pre>
 *   change log    ... 17 17 18 18 18 | 18 19 ...
 *                           last     boundary
 * </pre>
 *
 * <p>Changes are logged in the order of their timestamps, so one below that of the last change has
 * been there, and one above it has not. At that timestamp itself it depends on the change, because
 * a FEED entry may go on at the timestamp at which the entry before it ended; these changes are
 * looked up. There are few of them: those of one request or, in a derived tablet, of one
 * transaction, and they are in memory.
 *
 * <p>Immutable.
 */
final class FrozenChanges {
  private static final long NONE = -1; // below all timestamps

  private final long lastTimestamp;

  /** The changes with the last timestamp, ascending. */
  private final long[] last;

  /**
   * @param log of the frozen MemRowSet
   * @param count the number of its changes at the boundary
   */
  FrozenChanges(ChangeLog log, int count) {
    this.lastTimestamp = count == 0 ? NONE : Mutation.timestamp(log.mutation(count - 1));
    int first = count;
    while (first > 0 && Mutation.timestamp(log.mutation(first - 1)) == lastTimestamp) {
      first--;
    }
    this.last = new long[count - first];
    for (int i = 0; i < last.length; i++) {
      last[i] = log.mutation(first + i);
    }
    Arrays.sort(last);
  }

  /**
   * The newest change of a row at the boundary, or 0.
   *
   * @param newest the newest change of the row now, or 0
   */
  long newest(long newest) {
    long mutation = Mutation.newestBelow(newest, lastTimestamp + 1);
    while (mutation != 0 && isLater(mutation)) {
      mutation = Mutation.next(mutation);
    }
    return mutation;
  }

  private boolean isLater(long mutation) {
    return Mutation.timestamp(mutation) == lastTimestamp && Arrays.binarySearch(last, mutation) < 0;
  }
}
