package dev.kudu4j.client;

/**
 * The master accepted an alteration. Unless {@link AlterTableOptions#setWait} was set to false, all
 * tablets have applied the alteration.
 */
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
