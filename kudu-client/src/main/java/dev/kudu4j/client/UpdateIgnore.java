package dev.kudu4j.client;

import dev.kudu4j.common.row.OperationType;

/**
 * An {@link Update} that does nothing if the row does not exist, and does not change immutable
 * cells.
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
