package dev.kudu4j.client;

/** A failure that no retry helps: the client has tried what there was to try. */
class NonRecoverableException extends KuduException {
  private static final long serialVersionUID = 1L;

  NonRecoverableException(Status status) {
    super(status);
  }

  NonRecoverableException(Status status, Throwable cause) {
    super(status, cause);
  }
}
