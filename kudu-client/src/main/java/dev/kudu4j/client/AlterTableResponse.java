package dev.kudu4j.client;

/** A table is being altered; with waiting, it has been. */
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
