package dev.kudu4j.client;

import dev.kudu4j.common.row.OperationType;

/** Writes a new row; that its key is there already is an error. */
public class Insert extends Operation {
  Insert(KuduTable table) {
    super(table);
  }

  @Override
  OperationType type() {
    return OperationType.INSERT;
  }
}
