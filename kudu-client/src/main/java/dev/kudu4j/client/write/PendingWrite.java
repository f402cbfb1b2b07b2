package dev.kudu4j.client.write;

import dev.kudu4j.client.cluster.Deadline;
import dev.kudu4j.client.cluster.FailureStatus;
import dev.kudu4j.client.row.PackedRows;
import dev.kudu4j.common.row.RowCells;
import java.util.concurrent.CompletableFuture;

/**
 * One operation of a session, from apply to response. Its {@link RowCells} are the cells of the
 * row.
 *
 * <p>Guarded by the lock of its {@link WriteBuffer}.
 *
 * @param <R> the user's response
 */
public abstract class PendingWrite<R> implements RowCells {
  private static final long NO_DEADLINE = 0;

  private FlushGroup<R> group;
  private int indexInGroup;
  private int countedBytes;
  private long deadlineNanos = NO_DEADLINE;
  private CompletableFuture<R> answer;

  /** The table that the operation writes to. */
  protected abstract WriteTable table();

  /** Forbids further changes of the row. */
  protected abstract void freezeRow();

  /** The maximum number of bytes that the row takes in a batch. */
  protected abstract int rowBytes();

  /** Appends the packed row. */
  protected abstract void appendTo(PackedRows rows);

  /**
   * Creates the user's response.
   *
   * @param serverId the id of the server that answered; null if none did
   * @param timestamp the timestamp of the write; 0 if it was not written
   * @param failure why the row was not written; null if it was
   */
  protected abstract R answer(
      long elapsedMillis, String serverId, long timestamp, FailureStatus failure);

  /** Called when the operation enters the session's buffer. Freezes its row. */
  final void begin(FlushGroup<R> flushedWith, CompletableFuture<R> toComplete) {
    freezeRow();
    group = flushedWith;
    indexInGroup = flushedWith.add();
    answer = toComplete;
    deadlineNanos = NO_DEADLINE;
  }

  /** Called when the operation leaves the session's buffer. */
  final void end() {
    group = null;
    answer = null;
  }

  /**
   * Computes the packed size of the row and stores it for {@link #countedBytes}, because the row's
   * variable-length cells are no longer in the CPU cache when the response arrives.
   */
  final int countBytes() {
    countedBytes = rowBytes();
    return countedBytes;
  }

  /** The bytes counted when the operation began. */
  final int countedBytes() {
    return countedBytes;
  }

  /** Whether the operation is in a session's buffer. */
  final boolean isUnderWay() {
    return group != null;
  }

  final FlushGroup<R> group() {
    return group;
  }

  final int indexInGroup() {
    return indexInGroup;
  }

  /** The future to complete with the response; null if nobody waits for it. */
  final CompletableFuture<R> waiting() {
    return answer;
  }

  /** Whether the operation must be answered by {@link #deadline}. */
  final boolean hasDeadline() {
    return deadlineNanos != NO_DEADLINE;
  }

  final Deadline deadline() {
    return new Deadline(deadlineNanos);
  }

  /** Clears the deadline of an operation that only waits for its flush. */
  final void forgetDeadline() {
    deadlineNanos = NO_DEADLINE;
  }

  final void setDeadline(Deadline deadline) {
    deadlineNanos = deadline.nanoTime() == NO_DEADLINE ? 1 : deadline.nanoTime();
  }
}
