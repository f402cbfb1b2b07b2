package dev.kudu4j.client;

import dev.kudu4j.common.row.OperationType;

/** An {@link Upsert} that does not change the immutable cells of an existing row. */
public class UpsertIgnore extends Operation {
  UpsertIgnore(KuduTable table) {
    super(table);
  }

  @Override
  OperationType type() {
    return OperationType.UPSERT_IGNORE;
  }
}
