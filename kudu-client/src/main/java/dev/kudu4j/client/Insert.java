package dev.kudu4j.client;

import dev.kudu4j.common.row.OperationType;

/** Inserts a row; fails if its key already exists. */
public class Insert extends Operation {
  Insert(KuduTable table) {
    super(table);
  }

  @Override
  OperationType type() {
    return OperationType.INSERT;
  }
}
