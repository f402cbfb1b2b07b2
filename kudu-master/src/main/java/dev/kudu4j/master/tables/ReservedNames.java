package dev.kudu4j.master.tables;

import dev.kudu4j.common.proto.common.ColumnSchemaPB;
import dev.kudu4j.common.proto.common.SchemaPB;
import dev.kudu4j.common.proto.common.TableTypePB;
import dev.kudu4j.common.proto.master.AlterTableRequestPB;
import dev.kudu4j.common.proto.master.CreateTableRequestPB;
import dev.kudu4j.common.proto.master.MasterErrorPB;
import dev.kudu4j.common.proto.master.TableIdentifierPB;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.common.status.StatusCode;
import dev.kudu4j.common.transaction.StatusTable;
import dev.kudu4j.common.wire.SchemaRules;
import dev.kudu4j.master.catalog.Catalog;
import dev.kudu4j.master.catalog.Ids;
import dev.kudu4j.master.catalog.TableInfo;
import dev.kudu4j.master.failure.MasterException;
import java.util.Optional;

/**
 * The names that users may not give. Also finds ordinary columns with the reserved name of the
 * auto-incrementing column. An earlier version, which did not check every alteration, may have
 * stored them. No published client can open such a table, and tools that open all tables fail
 * altogether.
 */
final class ReservedNames {
  private ReservedNames() {}

  /**
   * @throws MasterException for a table of the system
   */
  static void checkTable(CreateTableRequestPB request) {
    if (request.getTableType() != TableTypePB.DEFAULT_TABLE) {
      throw MasterException.of(
          MasterErrorPB.Code.NOT_AUTHORIZED,
          StatusCode.NOT_AUTHORIZED,
          "only the system may create a table of type %s",
          request.getTableType());
    }
    checkName(request.getName());
  }

  /**
   * @throws KuduException if a table would get the name of a table of the system
   */
  static void checkNewName(AlterTableRequestPB request) {
    if (request.hasNewTableName()) {
      checkName(request.getNewTableName());
    }
  }

  /**
   * @throws KuduException for a table of the system, which users may neither alter nor drop
   */
  static void checkIsUsers(Catalog catalog, TableIdentifierPB table) {
    TableInfo status = catalog.tableByName(StatusTable.NAME);
    if (status != null
        && (table.hasTableId()
            ? Ids.fromWire(table.getTableId()).equals(status.id())
            : table.getTableName().equals(StatusTable.NAME))) {
      throw new KuduException(
          StatusCode.NOT_AUTHORIZED,
          "The table of transactions can be neither altered nor dropped");
    }
    TableInfo named =
        table.hasTableId()
            ? catalog.table(Ids.fromWire(table.getTableId()))
            : catalog.tableByName(table.getTableName());
    if (named != null && IndexTables.isIndexTable(named)) {
      throw new KuduException(
          StatusCode.NOT_AUTHORIZED,
          "Table "
              + named
              + " is an index: change or drop the index "
              + named.entry().getDerivation().getIndex().getName()
              + " of its table");
    }
  }

  private static void checkName(String name) {
    if (name.equals(StatusTable.NAME)) {
      throw KuduException.invalidArgument(
          "The name %s is reserved for the table of transactions", name);
    }
  }

  /** The alteration that renames the table's first column of this kind; empty when it has none. */
  static Optional<AlterTableRequestPB> renaming(TableInfo table) {
    if (table.isRemoved() || table.isSoftDeleted() || table.hasFailed()) {
      return Optional.empty();
    }
    SchemaPB schema = table.entry().getSchema();
    return schema.getColumnsList().stream()
        .filter(ReservedNames::isMisnamed)
        .findFirst()
        .map(column -> renaming(table, column.getName(), freeName(schema, column)));
  }

  private static boolean isMisnamed(ColumnSchemaPB column) {
    return !column.getIsAutoIncrementing() && SchemaRules.isReserved(column.getName());
  }

  private static String freeName(SchemaPB schema, ColumnSchemaPB column) {
    StringBuilder name = new StringBuilder(column.getName()).append('_').append(column.getId());
    while (schema.getColumnsList().stream().anyMatch(c -> c.getName().contentEquals(name))) {
      name.append('_');
    }
    return name.toString();
  }

  private static AlterTableRequestPB renaming(TableInfo table, String from, String to) {
    return AlterTableRequestPB.newBuilder()
        .setTable(TableIdentifierPB.newBuilder().setTableId(Ids.toWire(table.id())))
        .addAlterSchemaSteps(
            AlterTableRequestPB.Step.newBuilder()
                .setType(AlterTableRequestPB.StepType.RENAME_COLUMN)
                .setRenameColumn(
                    AlterTableRequestPB.RenameColumn.newBuilder().setOldName(from).setNewName(to)))
        .build();
  }
}
