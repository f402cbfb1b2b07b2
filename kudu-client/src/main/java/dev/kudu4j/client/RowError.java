package dev.kudu4j.client;

/** Why an operation failed. */
public final class RowError {
  private final Status status;
  private final Operation operation;
  private final String tsUUID;

  RowError(Status status, Operation operation, String tsUUID) {
    this.status = status;
    this.operation = operation;
    this.tsUUID = tsUUID;
  }

  public Status getErrorStatus() {
    return status;
  }

  /** The name of the status's code. */
  @Deprecated
  public String getStatus() {
    return status.code().prefix();
  }

  /** The message of the status. */
  @Deprecated
  public String getMessage() {
    return status.getMessage();
  }

  public Operation getOperation() {
    return operation;
  }

  /** UUID of the server that rejected the operation; null if no server did. */
  public String getTsUUID() {
    return tsUUID;
  }

  @Override
  public String toString() {
    return "Row error for " + operation + ", tablet server=" + tsUUID + ", status=" + status;
  }
}
