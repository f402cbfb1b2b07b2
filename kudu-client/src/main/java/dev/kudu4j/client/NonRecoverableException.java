package dev.kudu4j.client;

/** A failure that a retry does not fix: the client has already retried where that helps. */
class NonRecoverableException extends KuduException {
  private static final long serialVersionUID = 1L;

  NonRecoverableException(Status status) {
    super(status);
  }

  NonRecoverableException(Status status, Throwable cause) {
    super(status, cause);
  }
}
