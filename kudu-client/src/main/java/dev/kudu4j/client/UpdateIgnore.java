package dev.kudu4j.client;

import dev.kudu4j.common.row.OperationType;

/**
 * An {@link Update} that does nothing when the row is missing, and leaves immutable cells alone.
 */
public class UpdateIgnore extends Operation {
  UpdateIgnore(KuduTable table) {
    super(table);
  }

  @Override
  OperationType type() {
    return OperationType.UPDATE_IGNORE;
  }
}
