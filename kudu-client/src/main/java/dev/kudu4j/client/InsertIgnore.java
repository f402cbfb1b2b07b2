package dev.kudu4j.client;

import dev.kudu4j.common.row.OperationType;

/** Writes a new row, or nothing when its key is there already. */
public class InsertIgnore extends Operation {
  InsertIgnore(KuduTable table) {
    super(table);
  }

  @Override
  OperationType type() {
    return OperationType.INSERT_IGNORE;
  }
}
