package dev.kudu4j.client;

import dev.kudu4j.common.row.OperationType;

/** Deletes the row with the given key; fails if the row does not exist. */
public class Delete extends Operation {
  Delete(KuduTable table) {
    super(table);
  }

  @Override
  OperationType type() {
    return OperationType.DELETE;
  }
}
