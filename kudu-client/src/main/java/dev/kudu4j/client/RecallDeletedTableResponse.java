package dev.kudu4j.client;

/** A soft-deleted table was restored. */
public final class RecallDeletedTableResponse extends KuduRpcResponse {
  RecallDeletedTableResponse(long elapsedMillis) {
    super(elapsedMillis, null);
  }
}
