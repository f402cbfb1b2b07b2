package dev.kudu4j.client;

import dev.kudu4j.common.row.OperationType;

/** Inserts a row, or updates the set columns of the existing row. */
public class Upsert extends Operation {
  Upsert(KuduTable table) {
    super(table);
  }

  @Override
  OperationType type() {
    return OperationType.UPSERT;
  }
}
