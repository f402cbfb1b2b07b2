package dev.kudu4j.client;

import java.util.ArrayList;
import java.util.List;

/** The result of an operation. */
public final class OperationResponse extends KuduRpcResponse {
  private final long writeTimestamp;
  private final RowError rowError;

  OperationResponse(long elapsedMillis, String tsUUID, long writeTimestamp, RowError rowError) {
    super(elapsedMillis, tsUUID);
    this.writeTimestamp = writeTimestamp;
    this.rowError = rowError;
  }

  /** The row errors of the responses. */
  public static List<RowError> collectErrors(List<OperationResponse> responses) {
    List<RowError> errors = new ArrayList<>();
    for (OperationResponse response : responses) {
      if (response.hasRowError()) {
        errors.add(response.getRowError());
      }
    }
    return errors;
  }

  /** The hybrid time that the server assigned to the write; 0 if it assigned none. */
  public long getWriteTimestampRaw() {
    return writeTimestamp;
  }

  /** The row error; null if the operation succeeded. */
  public RowError getRowError() {
    return rowError;
  }

  public boolean hasRowError() {
    return rowError != null;
  }
}
