package dev.kudu4j.client;

import dev.kudu4j.client.cluster.FailureStatus;
import dev.kudu4j.client.row.PackedRows;
import dev.kudu4j.client.write.PendingWrite;
import dev.kudu4j.client.write.WriteTable;
import dev.kudu4j.common.row.OperationType;

/**
 * A write of one row: what a session takes. Made by the {@link KuduTable} ({@code newInsert()} and
 * its kind); the row is filled by the caller.
 */
public abstract class Operation {
  private final KuduTable table;
  private PartialRow row;

  private final PendingWrite<OperationResponse> pending = new Pending();

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
    return table.partitionKeys().encode(pending);
  }

  /** Replaces the row by one of the same schema. */
  public void setRow(PartialRow row) {
    if (!row.getSchema().equals(table.getSchema())) {
      throw new IllegalArgumentException(
          "Row's schema must be equal to table schema of " + table.getName());
    }
    this.row = row;
  }

  /** The operation as the session's buffer sees it. */
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
      return row.packedBytes();
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
