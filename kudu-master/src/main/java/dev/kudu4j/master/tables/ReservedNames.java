package dev.kudu4j.master.tables;

import dev.kudu4j.common.proto.common.ColumnSchemaPB;
import dev.kudu4j.common.proto.common.SchemaPB;
import dev.kudu4j.common.proto.master.AlterTableRequestPB;
import dev.kudu4j.common.proto.master.TableIdentifierPB;
import dev.kudu4j.common.wire.SchemaRules;
import dev.kudu4j.master.catalog.Ids;
import dev.kudu4j.master.catalog.TableInfo;
import java.util.Optional;

/**
 * Finds ordinary columns with the reserved name of the auto-incrementing column. An earlier
 * version, which did not check every alteration, may have stored them. No published client can open
 * such a table, and tools that open all tables fail altogether.
 */
final class ReservedNames {
  private ReservedNames() {}

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
