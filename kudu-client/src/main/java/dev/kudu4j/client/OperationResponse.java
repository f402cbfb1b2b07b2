package dev.kudu4j.client;

import java.util.ArrayList;
import java.util.List;

/** What became of an operation. */
public final class OperationResponse extends KuduRpcResponse {
  private final long writeTimestamp;
  private final RowError rowError;

  OperationResponse(long elapsedMillis, String tsUUID, long writeTimestamp, RowError rowError) {
    super(elapsedMillis, tsUUID);
    this.writeTimestamp = writeTimestamp;
    this.rowError = rowError;
  }

  /** The errors among the answers. */
  public static List<RowError> collectErrors(List<OperationResponse> responses) {
    List<RowError> errors = new ArrayList<>();
    for (OperationResponse response : responses) {
      if (response.hasRowError()) {
        errors.add(response.getRowError());
      }
    }
    return errors;
  }

  /** The hybrid time that the server gave to the write; 0 when it did not come so far. */
  public long getWriteTimestampRaw() {
    return writeTimestamp;
  }

  /** Why the operation failed; null when it did not. */
  public RowError getRowError() {
    return rowError;
  }

  public boolean hasRowError() {
    return rowError != null;
  }
}
