package dev.kudu4j.tserver.transaction;

import dev.kudu4j.common.status.KuduException;

/** A transaction takes no rows: it is not open, does not exist, or is another user's. */
public final class RefusedRegistrationException extends KuduException {
  private static final long serialVersionUID = 1L;

  RefusedRegistrationException(KuduException refusal) {
    super(refusal.code(), refusal.getMessage(), refusal);
  }
}
