package dev.kudu4j.client;

/** What all answers tell: who gave it and how long it took. */
abstract class KuduRpcResponse {
  private final long elapsedMillis;
  private final String tsUUID;

  /**
   * @param elapsedMillis from the request to the answer, retries included
   * @param tsUUID of the server that answered; null for a master's answer
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
