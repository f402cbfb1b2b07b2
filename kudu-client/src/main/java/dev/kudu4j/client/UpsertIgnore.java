package dev.kudu4j.client;

import dev.kudu4j.common.row.OperationType;

/** An {@link Upsert} that leaves the immutable cells of a row alone that is there already. */
public class UpsertIgnore extends Operation {
  UpsertIgnore(KuduTable table) {
    super(table);
  }

  @Override
  OperationType type() {
    return OperationType.UPSERT_IGNORE;
  }
}
