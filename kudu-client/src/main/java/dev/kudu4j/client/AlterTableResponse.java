package dev.kudu4j.client;

/** The master accepted an alteration; if the client waits, all tablets have applied it. */
public final class AlterTableResponse extends KuduRpcResponse {
  private final String tableId;

  AlterTableResponse(long elapsedMillis, String tableId) {
    super(elapsedMillis, null);
    this.tableId = tableId;
  }

  public String getTableId() {
    return tableId;
  }
}
