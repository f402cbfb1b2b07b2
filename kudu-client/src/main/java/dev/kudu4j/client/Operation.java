package dev.kudu4j.client;

import dev.kudu4j.common.row.OperationType;

/**
 * A write of one row: what a session takes. Made by the {@link KuduTable} ({@code newInsert()} and
 * its kind); the row is filled by the caller.
 */
public abstract class Operation {
  private final KuduTable table;
  private PartialRow row;

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

  /** Replaces the row by one of the same schema. */
  public void setRow(PartialRow row) {
    if (row.getSchema() != table.getSchema() && !row.getSchema().equals(table.getSchema())) {
      throw new IllegalArgumentException(
          "Row's schema must be equal to table schema of " + table.getName());
    }
    this.row = row;
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
