package dev.kudu4j.client;

import dev.kudu4j.client.cluster.Deadline;
import dev.kudu4j.common.row.OperationType;
import java.util.concurrent.CompletableFuture;

/**
 * A write of one row: what a session takes. Made by the {@link KuduTable} ({@code newInsert()} and
 * its kind); the row is filled by the caller.
 */
public abstract class Operation {
  private static final long NO_DEADLINE = 0;

  private final KuduTable table;
  private PartialRow row;

  // Where the operation stands between its session's apply() and its answer; see WriteBuffer.
  private FlushGroup group;
  private int indexInGroup;
  private int packedBytes;
  private long deadlineNanos = NO_DEADLINE;
  private CompletableFuture<OperationResponse> answer;

  Operation(KuduTable table) {
    this.table = table;
    this.row = table.getSchema().newPartialRow();
  }

  /** How the operation is called on the wire. */
  abstract OperationType type();

  public KuduTable getTable() {
    return table;
  }

  /** The row to write; set its columns. */
  public PartialRow getRow() {
    return row;
  }

  /**
   * The row's partition key, encoded: it tells the row's tablet, see {@link
   * Partition#getPartitionKeyStart}.
   *
   * @throws IllegalStateException when a column of it is not set
   */
  public byte[] partitionKey() {
    return table.partitionKeys().encode(new PartialRowCells(row));
  }

  /** Replaces the row by one of the same schema. */
  public void setRow(PartialRow row) {
    if (row.getSchema() != table.getSchema() && !row.getSchema().equals(table.getSchema())) {
      throw new IllegalArgumentException(
          "Row's schema must be equal to table schema of " + table.getName());
    }
    this.row = row;
  }

  /** The operation goes into a session's buffer. Its row cannot be changed any more. */
  void begin(FlushGroup flushedWith, CompletableFuture<OperationResponse> toComplete) {
    row.freeze();
    group = flushedWith;
    indexInGroup = flushedWith.add();
    answer = toComplete;
    deadlineNanos = NO_DEADLINE;
  }

  /** The operation leaves the session's buffer. */
  void end() {
    group = null;
    answer = null;
  }

  /**
   * What the row takes when packed, kept for {@link #packedBytes}: by the answer its texts are in
   * no processor's cache any more.
   */
  int countBytes() {
    packedBytes = row.packedBytes();
    return packedBytes;
  }

  /** As counted when the operation began. */
  int packedBytes() {
    return packedBytes;
  }

  /** Whether the operation is in a session's buffer. */
  boolean isUnderWay() {
    return group != null;
  }

  FlushGroup group() {
    return group;
  }

  int indexInGroup() {
    return indexInGroup;
  }

  /** Completed with the answer; null when nobody wants to be told. */
  CompletableFuture<OperationResponse> answer() {
    return answer;
  }

  /** Whether somebody waits for the operation's outcome until {@link #deadline}. */
  boolean hasDeadline() {
    return deadlineNanos != NO_DEADLINE;
  }

  Deadline deadline() {
    return new Deadline(deadlineNanos);
  }

  /** The operation waits for nothing but its flush. */
  void forgetDeadline() {
    deadlineNanos = NO_DEADLINE;
  }

  void setDeadline(Deadline deadline) {
    deadlineNanos = deadline.nanoTime() == NO_DEADLINE ? 1 : deadline.nanoTime();
  }

  @Override
  public String toString() {
    return getClass().getSimpleName() + " row_key=" + keyText();
  }

  private String keyText() {
    try {
      return row.stringifyRowKey();
    } catch (IllegalStateException e) {
      return row.toString();
    }
  }
}
