package dev.kudu4j.client;

import dev.kudu4j.Schema;
import dev.kudu4j.common.row.OperationType;
import dev.kudu4j.common.row.RowOperationsWriter;

/** STUB (data engineer). A row of a schema of which some columns are set. */
public final class PartialRow {
  private final Schema schema;

  PartialRow(Schema schema) {
    this.schema = schema;
  }

  public Schema getSchema() {
    return schema;
  }

  /** Appends the columns that are set, as one operation; for bounds and splits too. */
  void appendTo(RowOperationsWriter writer, OperationType operation) {
    throw new UnsupportedOperationException("STUB");
  }

  /** The encoded primary key; all of its columns must be set. */
  public byte[] encodePrimaryKey() {
    throw new UnsupportedOperationException("STUB");
  }
}
