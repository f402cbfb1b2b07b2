package dev.kudu4j.client;

/** Whether no alteration of a table is in progress. */
public final class IsAlterTableDoneResponse extends KuduRpcResponse {
  private final boolean done;

  IsAlterTableDoneResponse(long elapsedMillis, boolean done) {
    super(elapsedMillis, null);
    this.done = done;
  }

  public boolean isDone() {
    return done;
  }
}
