package dev.kudu4j.client.write;

import com.google.protobuf.ByteString;
import dev.kudu4j.client.cluster.FailureStatus;
import dev.kudu4j.client.cluster.RemoteTablet;
import dev.kudu4j.common.partition.Partition;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The batches of a session for one tablet, in order: at most one is in flight, so operations on one
 * row are written in the order in which they are applied.
 *
 * <pre>
 *   in flight (at most one) | queue: due batches, then batches that are not due
 * </pre>
 *
 * <p>Guarded by the lock of its {@link WriteBuffer}.
 */
final class TabletWriter<R> {
  /**
   * A batch accepts no more rows beyond this size, which is far below the maximum size of a frame,
   * and large enough to make the cost of a request negligible.
   */
  private static final int FULL_BYTES = 4 << 20;

  /** Arrays larger than this are not kept for the next batch. */
  private static final int KEPT_BYTES = 1 << 20;

  private final RemoteTablet tablet;
  private final ByteString tabletId;
  private final ArrayDeque<WriteBatch<R>> queue = new ArrayDeque<>();
  private final List<TabletWriter<R>> predecessors = new ArrayList<>();
  private WriteBatch<R> inFlight;
  private WriteBatch<R> spare;
  private FailureStatus lastFailure; // failure of the last batch; null if it was written

  TabletWriter(RemoteTablet tablet) {
    this.tablet = tablet;
    this.tabletId = ByteString.copyFromUtf8(tablet.tabletId());
  }

  RemoteTablet tablet() {
    return tablet;
  }

  ByteString tabletId() {
    return tabletId;
  }

  /**
   * Adds an operation that waits for its flush.
   *
   * @param mayJoinDue whether the operation may join a batch that is due, and so be sent before its
   *     flush
   * @param toleranceNanos maximum difference between the times at which operations of one batch
   *     became due
   * @return the bytes that the operation takes in its batch
   */
  int add(
      TableWriter<R> table, PendingWrite<R> operation, boolean mayJoinDue, long toleranceNanos) {
    WriteBatch<R> last = lastWithRoom(table);
    if (last == null || !last.isDue()) {
      return add(last == null ? append(table) : last, operation);
    }
    if (mayJoinDue) {
      return addDue(table, operation, System.nanoTime(), toleranceNanos);
    }
    return add(append(table), operation);
  }

  /** Adds an operation that has been due since {@code nanos}; returns its bytes in the batch. */
  int addDue(TableWriter<R> table, PendingWrite<R> operation, long nanos, long toleranceNanos) {
    WriteBatch<R> last = lastWithRoom(table);
    WriteBatch<R> batch =
        last == null || !last.canShareDeadline(nanos, toleranceNanos) ? append(table) : last;
    int before = batch.bytes();
    batch.addDue(operation, nanos);
    return batch.bytes() - before;
  }

  private static <R> int add(WriteBatch<R> batch, PendingWrite<R> operation) {
    int before = batch.bytes();
    batch.add(operation);
    return batch.bytes() - before;
  }

  /** The last batch, if rows of this table may join it. */
  private WriteBatch<R> lastWithRoom(TableWriter<R> table) {
    WriteBatch<R> last = queue.peekLast();
    return last == null || last.table() != table || last.bytes() >= FULL_BYTES ? null : last;
  }

  private WriteBatch<R> append(TableWriter<R> table) {
    WriteBatch<R> batch = newBatch(table);
    queue.add(batch);
    return batch;
  }

  private WriteBatch<R> newBatch(TableWriter<R> table) {
    WriteBatch<R> batch = spare == null ? new WriteBatch<>() : spare;
    spare = null;
    return batch.begin(table);
  }

  /** Marks all queued operations as due. */
  void setDue(long nanos) {
    for (WriteBatch<R> batch : queue) {
      if (!batch.isDue()) {
        batch.setDue(nanos);
      }
    }
  }

  /** Whether there are queued operations that are not due. */
  boolean hasOpenBatch() {
    WriteBatch<R> last = queue.peekLast();
    return last != null && !last.isDue();
  }

  /**
   * Whether the partitions of the two tablets overlap, because one tablet has replaced the other or
   * a part of it.
   */
  boolean overlaps(TabletWriter<R> other) {
    if (!tablet.tableId().equals(other.tablet.tableId())) {
      return false;
    }
    Partition mine = tablet.partition();
    Partition others = other.tablet.partition();
    return startsBefore(mine.start(), others.end()) && startsBefore(others.start(), mine.end());
  }

  private static boolean startsBefore(byte[] start, byte[] end) {
    return end.length == 0 || Arrays.compareUnsigned(start, end) < 0;
  }

  /**
   * Makes this writer send nothing until {@code earlier} is idle, because {@code earlier} has
   * operations on rows that now belong to this tablet.
   */
  void waitFor(TabletWriter<R> earlier) {
    predecessors.add(earlier);
  }

  boolean isBehind(TabletWriter<R> earlier) {
    return predecessors.contains(earlier);
  }

  /** Whether a writer that this one waits for still has operations. */
  boolean isBlocked() {
    predecessors.removeIf(TabletWriter::isIdle);
    return !predecessors.isEmpty();
  }

  /** Returns the batch to send now and marks it as in flight; null if there is none. */
  WriteBatch<R> next() {
    WriteBatch<R> first = queue.peek();
    if (inFlight != null || first == null || !first.isDue() || isBlocked()) {
      return null;
    }
    inFlight = queue.poll();
    return inFlight;
  }

  /** Called when the batch in flight was answered. The arrays of {@code batch} are reused. */
  void batchAnswered(WriteBatch<R> batch) {
    inFlight = null;
    if (batch.bytes() <= KEPT_BYTES) {
      batch.clear();
      spare = batch;
    }
  }

  /** The failure of the last answered batch; null if that batch was written. */
  FailureStatus lastFailure() {
    return lastFailure;
  }

  void setLastFailure(FailureStatus failure) {
    lastFailure = failure;
  }

  /**
   * Removes all operations, in order, including the batch in flight, because the tablet is gone.
   */
  List<WriteBatch<R>> drain() {
    List<WriteBatch<R>> all = new ArrayList<>(queue.size() + 1);
    if (inFlight != null) {
      all.add(inFlight);
    }
    all.addAll(queue);
    inFlight = null;
    queue.clear();
    return all;
  }

  /** Bytes of the rows that are queued or in flight. */
  long bytes() {
    long bytes = inFlight == null ? 0 : inFlight.bytes();
    for (WriteBatch<R> batch : queue) {
      bytes += batch.bytes();
    }
    return bytes;
  }

  boolean isIdle() {
    return inFlight == null && queue.isEmpty();
  }
}
