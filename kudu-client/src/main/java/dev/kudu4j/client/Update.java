package dev.kudu4j.client;

import dev.kudu4j.common.row.OperationType;

/** Writes the columns set into a row; that the row is missing is an error. */
public class Update extends Operation {
  Update(KuduTable table) {
    super(table);
  }

  @Override
  OperationType type() {
    return OperationType.UPDATE;
  }
}
