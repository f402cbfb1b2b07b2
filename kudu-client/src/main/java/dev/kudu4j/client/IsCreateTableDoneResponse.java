package dev.kudu4j.client;

/** Whether all tablets of a table are running. */
public final class IsCreateTableDoneResponse extends KuduRpcResponse {
  private final boolean done;

  IsCreateTableDoneResponse(long elapsedMillis, boolean done) {
    super(elapsedMillis, null);
    this.done = done;
  }

  public boolean isDone() {
    return done;
  }
}
