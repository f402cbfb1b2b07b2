package dev.kudu4j.server.replica.write;

import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.common.status.StatusCode;

/**
 * Rows of a transaction were not written, because an older transaction holds the key of one of
 * them. The transaction should be rolled back: if it waited for older ones, two might wait for each
 * other.
 */
public final class LockedByTransactionException extends KuduException {
  private static final long serialVersionUID = 1L;

  LockedByTransactionException(String tabletId, long transaction, long holder) {
    super(
        StatusCode.ABORTED,
        "Tablet "
            + tabletId
            + ": transaction "
            + holder
            + " holds the key of a row of transaction "
            + transaction
            + ", which is younger; roll it back and begin again");
  }
}
