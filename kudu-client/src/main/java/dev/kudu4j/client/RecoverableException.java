package dev.kudu4j.client;

/** A failure after which the caller may retry. */
class RecoverableException extends KuduException {
  private static final long serialVersionUID = 1L;

  RecoverableException(Status status) {
    super(status);
  }

  RecoverableException(Status status, Throwable cause) {
    super(status, cause);
  }
}
