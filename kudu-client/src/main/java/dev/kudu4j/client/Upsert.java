package dev.kudu4j.client;

import dev.kudu4j.common.row.OperationType;

/** Writes a new row, or the columns set into the row that is there already. */
public class Upsert extends Operation {
  Upsert(KuduTable table) {
    super(table);
  }

  @Override
  OperationType type() {
    return OperationType.UPSERT;
  }
}
