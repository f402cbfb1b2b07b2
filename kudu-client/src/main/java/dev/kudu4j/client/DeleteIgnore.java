package dev.kudu4j.client;

import dev.kudu4j.common.row.OperationType;

/** Deletes the row with the given key; does nothing if the row does not exist. */
public class DeleteIgnore extends Operation {
  DeleteIgnore(KuduTable table) {
    super(table);
  }

  @Override
  OperationType type() {
    return OperationType.DELETE_IGNORE;
  }
}
