package dev.kudu4j.client;

import java.util.List;
import java.util.Objects;

/** The tables of a cluster. */
public final class ListTablesResponse extends KuduRpcResponse {
  private final List<TableInfo> tableInfos;

  ListTablesResponse(long elapsedMillis, List<TableInfo> tableInfos) {
    super(elapsedMillis, null);
    this.tableInfos = List.copyOf(tableInfos);
  }

  /** The names of the tables. */
  public List<String> getTablesList() {
    return tableInfos.stream().map(TableInfo::getTableName).toList();
  }

  public List<TableInfo> getTableInfosList() {
    return tableInfos;
  }

  /** One table in the list. */
  public static final class TableInfo {
    private final String tableId;
    private final String tableName;

    TableInfo(String tableId, String tableName) {
      this.tableId = tableId;
      this.tableName = tableName;
    }

    public String getTableId() {
      return tableId;
    }

    public String getTableName() {
      return tableName;
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof TableInfo that
          && tableId.equals(that.tableId)
          && tableName.equals(that.tableName);
    }

    @Override
    public int hashCode() {
      return Objects.hash(tableId, tableName);
    }

    @Override
    public String toString() {
      return tableName + " [id=" + tableId + "]";
    }
  }
}
