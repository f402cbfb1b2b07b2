package dev.kudu4j.client;

/** The common part of all responses: the server that answered and the elapsed time. */
abstract class KuduRpcResponse {
  private final long elapsedMillis;
  private final String tsUUID;

  /**
   * @param elapsedMillis the time from the request to the response, retries included
   * @param tsUUID UUID of the tablet server that answered; null for a master's response
   */
  KuduRpcResponse(long elapsedMillis, String tsUUID) {
    this.elapsedMillis = elapsedMillis;
    this.tsUUID = tsUUID;
  }

  public long getElapsedMillis() {
    return elapsedMillis;
  }

  public String getTsUUID() {
    return tsUUID;
  }
}
