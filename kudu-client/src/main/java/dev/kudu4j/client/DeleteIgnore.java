package dev.kudu4j.client;

import dev.kudu4j.common.row.OperationType;

/** Deletes a row, of which the key is set, if it is there. */
public class DeleteIgnore extends Operation {
  DeleteIgnore(KuduTable table) {
    super(table);
  }

  @Override
  OperationType type() {
    return OperationType.DELETE_IGNORE;
  }
}
