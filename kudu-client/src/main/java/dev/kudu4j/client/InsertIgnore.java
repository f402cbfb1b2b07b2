package dev.kudu4j.client;

import dev.kudu4j.common.row.OperationType;

/** Inserts a row; does nothing if its key already exists. */
public class InsertIgnore extends Operation {
  InsertIgnore(KuduTable table) {
    super(table);
  }

  @Override
  OperationType type() {
    return OperationType.INSERT_IGNORE;
  }
}
