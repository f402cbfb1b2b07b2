package dev.kudu4j.client.write;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnsafeByteOperations;
import dev.kudu4j.client.cluster.Deadline;
import dev.kudu4j.client.row.PackedRows;
import dev.kudu4j.common.proto.common.RowOperationsPB;
import dev.kudu4j.common.proto.tserver.WriteResponsePB;
import dev.kudu4j.common.proto.tserver.WriteResponsePB.PerRowErrorPB;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;

/**
 * The operations of one request to one tablet, in order. The rows are packed in the wire format.
 * The users' objects are kept because the response identifies rows by position.
 */
final class WriteBatch<R> {
  private final PackedRows rows = new PackedRows();
  private TableWriter<R> table;
  private PendingWrite<R>[] operations = newArray(64);
  private int count;
  private boolean due;
  private long firstDueNanos;
  private long lastDueNanos;
  private long sentNanos;
  private Deadline deadline;

  @SuppressWarnings({"unchecked", "rawtypes"}) // Java has no arrays of generic types
  private static <R> PendingWrite<R>[] newArray(int length) {
    return new PendingWrite[length];
  }

  /** Starts a new batch, for rows of one table. */
  WriteBatch<R> begin(TableWriter<R> rowsOf) {
    table = rowsOf;
    return this;
  }

  TableWriter<R> table() {
    return table;
  }

  void add(PendingWrite<R> operation) {
    operation.appendTo(rows);
    if (count == operations.length) {
      operations = Arrays.copyOf(operations, count * 2);
    }
    operations[count++] = operation;
  }

  /** Like {@link #add}, for an operation that has been due since {@code nanos}. */
  void addDue(PendingWrite<R> operation, long nanos) {
    add(operation);
    setDue(nanos);
  }

  int count() {
    return count;
  }

  PendingWrite<R> operation(int index) {
    return operations[index];
  }

  int bytes() {
    return rows.bytes();
  }

  /** Whether the batch is due: it is sent as soon as the tablet can take it. */
  boolean isDue() {
    return due;
  }

  void setDue(long nanos) {
    if (!due) {
      due = true;
      firstDueNanos = nanos;
      lastDueNanos = nanos;
    } else if (nanos - lastDueNanos > 0) {
      lastDueNanos = nanos;
    } else if (nanos - firstDueNanos < 0) {
      firstDueNanos = nanos;
    }
  }

  /**
   * Whether an operation that has been due since {@code nanos} may share the deadline of the
   * operations in this batch.
   */
  boolean canShareDeadline(long nanos, long toleranceNanos) {
    return !due
        || (nanos - firstDueNanos <= toleranceNanos && lastDueNanos - nanos <= toleranceNanos);
  }

  /**
   * Called when the batch is sent. It must be answered within {@code timeoutMillis} after the last
   * of its operations became due.
   */
  void send(long timeoutMillis) {
    sentNanos = System.nanoTime();
    deadline = deadline(timeoutMillis);
  }

  /** The deadline of the batch: that of the operation that became due last. */
  Deadline deadline(long timeoutMillis) {
    return timeoutMillis <= 0
        ? Deadline.after(0)
        : new Deadline(lastDueNanos + TimeUnit.MILLISECONDS.toNanos(timeoutMillis));
  }

  /** The deadline of a batch that was sent. */
  Deadline deadline() {
    return deadline;
  }

  /** How long the batch was due before it could be sent. */
  long waitedMillis() {
    return TimeUnit.NANOSECONDS.toMillis(sentNanos - firstDueNanos);
  }

  long elapsedMillis() {
    return (System.nanoTime() - sentNanos) / 1_000_000;
  }

  /**
   * The rows in the wire format. Shares the batch's bytes, which must not change until the
   * response.
   */
  RowOperationsPB toWire() {
    RowOperationsPB.Builder pb = RowOperationsPB.newBuilder();
    pb.setRows(wrap(rows.rows(), rows.rowsLength()));
    if (rows.indirectLength() > 0) {
      pb.setIndirectData(wrap(rows.indirect(), rows.indirectLength()));
    }
    return pb.build();
  }

  private static ByteString wrap(byte[] bytes, int length) {
    return UnsafeByteOperations.unsafeWrap(bytes, 0, length);
  }

  /** Clears everything but keeps the arrays. */
  void clear() {
    rows.clear();
    Arrays.fill(operations, 0, count, null);
    count = 0;
    due = false;
    table = null;
    deadline = null;
  }

  /**
   * The errors of the rows that the tablet server did not write, by row; null if it wrote all.
   *
   * @throws dev.kudu4j.common.status.KuduException CORRUPTION if the response refers to a row that
   *     the batch does not have
   */
  PerRowErrorPB[] failuresByRow(WriteResponsePB response) {
    if (response.getPerRowErrorsCount() == 0) {
      return null;
    }
    PerRowErrorPB[] failures = new PerRowErrorPB[count()];
    for (PerRowErrorPB failure : response.getPerRowErrorsList()) {
      if (failure.getRowIndex() < 0 || failure.getRowIndex() >= failures.length) {
        throw dev.kudu4j.common.status.KuduException.corruption(
            "The tablet server reports an error of row %d in a batch of %d rows",
            failure.getRowIndex(), failures.length);
      }
      failures[failure.getRowIndex()] = failure;
    }
    return failures;
  }
}
