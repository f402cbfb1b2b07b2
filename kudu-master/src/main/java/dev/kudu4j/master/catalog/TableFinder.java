package dev.kudu4j.master.catalog;

import dev.kudu4j.common.proto.master.TableIdentifierPB;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.master.failure.MasterException;

/** Finds the table that a request names. */
public final class TableFinder {
  private TableFinder() {}

  /**
   * @throws MasterException TABLE_NOT_FOUND when there is no such table, or the id and the name are
   *     those of different tables
   * @throws KuduException INVALID_ARGUMENT when the request has neither id nor name
   */
  public static TableInfo find(Catalog catalog, TableIdentifierPB identifier) {
    if (identifier.hasTableId()) {
      return byId(catalog, identifier);
    }
    if (identifier.hasTableName()) {
      TableInfo table = catalog.tableByName(identifier.getTableName());
      if (table == null) {
        throw MasterException.tableNotFound(
            "the table does not exist: table_name: \"%s\"", identifier.getTableName());
      }
      return table;
    }
    throw KuduException.invalidArgument("missing table ID or table name");
  }

  private static TableInfo byId(Catalog catalog, TableIdentifierPB identifier) {
    String id = Ids.fromWire(identifier.getTableId());
    TableInfo table = catalog.table(id);
    if (table != null && table.isRemoved()) {
      throw MasterException.tableNotFound("the table was deleted: %s", table);
    }
    if (table == null) {
      throw MasterException.tableNotFound(
          "the table does not exist: table_id: \"%s\" (it was deleted, or is another cluster's)",
          id);
    }
    if (identifier.hasTableName() && !identifier.getTableName().equals(table.name())) {
      throw MasterException.tableNotFound(
          "the table with id %s is not named %s but %s",
          id, identifier.getTableName(), table.name());
    }
    return table;
  }
}
