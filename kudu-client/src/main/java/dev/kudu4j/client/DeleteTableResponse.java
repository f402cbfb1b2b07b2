package dev.kudu4j.client;

/** A table was deleted. */
public final class DeleteTableResponse extends KuduRpcResponse {
  DeleteTableResponse(long elapsedMillis) {
    super(elapsedMillis, null);
  }
}
