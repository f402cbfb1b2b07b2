package dev.kudu4j.client;

import dev.kudu4j.client.cluster.FailureStatus;
import dev.kudu4j.client.row.PackedRows;
import dev.kudu4j.client.write.PendingWrite;
import dev.kudu4j.client.write.WriteTable;
import dev.kudu4j.common.row.OperationType;

/**
 * A write of one row, to be applied to a session. {@link KuduTable} creates operations ({@code
 * newInsert()} and similar methods); the caller sets the columns of the row.
 */
public abstract class Operation {
  private final KuduTable table;
  private PartialRow row;

  private final PendingWrite<OperationResponse> pending = new Pending();

  Operation(KuduTable table) {
    this.table = table;
    this.row = table.getSchema().newPartialRow();
  }

  /** The operation's type in the wire format. */
  abstract OperationType type();

  public KuduTable getTable() {
    return table;
  }

  /** The row to write, whose columns the caller sets. */
  public PartialRow getRow() {
    return row;
  }

  /**
   * The row's encoded partition key, which determines the row's tablet; see {@link
   * Partition#getPartitionKeyStart}.
   *
   * @throws IllegalStateException if a partitioning column is not set
   */
  public byte[] partitionKey() {
    return table.partitionKeys().encode(pending);
  }

  /** Replaces the row with another one of the same schema. */
  public void setRow(PartialRow row) {
    if (!row.getSchema().equals(table.getSchema())) {
      throw new IllegalArgumentException(
          "Row's schema must be equal to table schema of " + table.getName());
    }
    this.row = row;
  }

  /** The maximum number of bytes that the row takes in a request. */
  int rowBytes() {
    return row.packedBytes();
  }

  /** The operation in the form that the session's buffer uses. */
  PendingWrite<OperationResponse> pending() {
    return pending;
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

  private final class Pending extends PendingWrite<OperationResponse> {
    @Override
    protected WriteTable table() {
      return table.writeTable();
    }

    @Override
    protected void freezeRow() {
      row.freeze();
    }

    @Override
    protected int rowBytes() {
      return Operation.this.rowBytes();
    }

    @Override
    protected void appendTo(PackedRows rows) {
      row.appendTo(rows, type());
    }

    @Override
    protected OperationResponse answer(
        long elapsedMillis, String serverId, long timestamp, FailureStatus failure) {
      RowError error =
          failure == null ? null : new RowError(Status.of(failure), Operation.this, serverId);
      return new OperationResponse(elapsedMillis, serverId, timestamp, error);
    }

    @Override
    public boolean hasCell(int column) {
      return row.hasCell(column);
    }

    @Override
    public byte[] cellArray(int column) {
      return row.cellArray(column);
    }

    @Override
    public int cellOffset(int column) {
      return row.cellOffset(column);
    }

    @Override
    public int cellLength(int column) {
      return row.cellLength(column);
    }

    @Override
    public String toString() {
      return Operation.this.toString();
    }
  }
}
