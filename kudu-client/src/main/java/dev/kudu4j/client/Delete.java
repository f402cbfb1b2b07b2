package dev.kudu4j.client;

import dev.kudu4j.common.row.OperationType;

/** Deletes a row, of which the key is set; that it is missing is an error. */
public class Delete extends Operation {
  Delete(KuduTable table) {
    super(table);
  }

  @Override
  OperationType type() {
    return OperationType.DELETE;
  }
}
