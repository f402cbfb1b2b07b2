package dev.kudu4j.client;

import dev.kudu4j.common.row.OperationType;

/** Updates the set columns of a row; fails if the row does not exist. */
public class Update extends Operation {
  Update(KuduTable table) {
    super(table);
  }

  @Override
  OperationType type() {
    return OperationType.UPDATE;
  }
}
