package dev.kudu4j.master.tables;

import com.google.protobuf.ByteString;
import dev.kudu4j.common.proto.common.PartitionPB;
import dev.kudu4j.common.proto.master.AlterTableRequestPB;
import dev.kudu4j.common.proto.master.MasterErrorPB;
import dev.kudu4j.common.proto.master.SysTablesEntryPB;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.common.status.StatusCode;
import dev.kudu4j.common.time.TimeSource;
import dev.kudu4j.common.wire.SchemaRules;
import dev.kudu4j.common.wire.StatusWire;
import dev.kudu4j.master.catalog.Catalog;
import dev.kudu4j.master.catalog.CatalogEdit;
import dev.kudu4j.master.catalog.Ids;
import dev.kudu4j.master.catalog.TableFinder;
import dev.kudu4j.master.catalog.TableInfo;
import dev.kudu4j.master.failure.MasterException;
import dev.kudu4j.master.heartbeat.ServerRegistry;
import dev.kudu4j.master.observed.ObservedTablets;
import dev.kudu4j.master.placement.ReplicaPlacer;
import dev.kudu4j.master.proto.catalog.TableEntryPB;
import java.util.Map;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;

/**
 * Alters tables: applies all steps of a request to the table's record, or none. Every alteration
 * that changes anything raises the schema version and is sent to every tablet. Until all tablets
 * have applied it, clients get the earlier schema.
 */
final class TableAlterer {
  private final Catalog catalog;
  private final ServerRegistry servers;
  private final ReplicationRules replication;
  private final RandomGenerator random;
  private final TimeSource time;
  private final TabletRecords records;
  private final TableRemover remover;

  TableAlterer(
      Catalog catalog,
      ServerRegistry servers,
      ReplicationRules replication,
      RandomGenerator random,
      TimeSource time,
      TabletRecords records,
      TableRemover remover) {
    this.catalog = catalog;
    this.servers = servers;
    this.replication = replication;
    this.random = random;
    this.time = time;
    this.records = records;
    this.remover = remover;
  }

  /** Records an alteration. */
  TableChange alter(AlterTableRequestPB request) {
    return catalog.change(
        edit ->
            RequestKeys.find(catalog, request.getRequestKey())
                .map(TableChange::none)
                .orElseGet(
                    () -> {
                      TableInfo table = TableFinder.find(catalog, request.getTable());
                      checkAlterable(table);
                      return alter(edit, table, request);
                    }));
  }

  /**
   * Rejects changes of a soft-deleted table, which must be unchanged when it is recalled, and of a
   * table whose creation failed.
   */
  static void checkAlterable(TableInfo table) {
    if (table.isSoftDeleted()) {
      throw MasterException.of(
          MasterErrorPB.Code.TABLE_SOFT_DELETED,
          StatusCode.INVALID_ARGUMENT,
          "table %s is soft deleted; recall it before it is changed",
          table);
    }
    if (table.hasFailed()) {
      throw KuduException.invalidArgument(
          "table %s could not be created (%s); delete it",
          table, StatusWire.fromWire(table.entry().getCreateFailure()).describe());
    }
  }

  private TableChange alter(CatalogEdit edit, TableInfo table, AlterTableRequestPB request) {
    TableEntryPB.Builder entry = table.entry().toBuilder();
    ColumnSteps columns = new ColumnSteps(entry.getSchema(), entry.getNextColumnId());
    RangeSteps ranges = new RangeSteps(table, request.hasSchema() ? request.getSchema() : null);
    for (AlterTableRequestPB.Step step : request.getAlterSchemaStepsList()) {
      apply(step, columns, ranges);
    }
    boolean changed = alterProperties(entry, table, request);
    if (columns.isChanged()) {
      entry.setSchema(columns.schema()).setNextColumnId(columns.nextColumnId());
      ColumnStatistics.forgetDropped(entry);
    }
    IndexSteps.apply(
        entry,
        request.getNewExtraConfigsMap(),
        request.getRebuiltIndexesList(),
        table.entry().getSchema(),
        ranges.partitions());
    changed |= !entry.getIndexesList().equals(table.entry().getIndexesList());
    if (!changed && !columns.isChanged() && !ranges.isChanged()) {
      return TableChange.none(table.id());
    }
    replication.checkTotal(
        catalog.replicas(),
        (long) ranges.added().size() * entry.getNumReplicas(),
        servers.live().size());
    begin(entry, table);
    if (ranges.isChanged()) {
      alterRanges(edit, entry, table, ranges);
    }
    edit.putTable(table.id(), RequestKeys.note(entry.build(), request.getRequestKey()));
    String renamed = entry.getName().equals(table.name()) ? "" : ", new name=" + entry.getName();
    return TableChange.of(
        table.id(),
        "Table %s altered: schema version=%d, tablets added=%d, tablets dropped=%d%s",
        table,
        entry.getSchemaVersion(),
        ranges.added().size(),
        ranges.dropped().size(),
        renamed);
  }

  /** Raises the schema version of a changed record, so that all tablets get it. */
  private void begin(TableEntryPB.Builder entry, TableInfo table) {
    CreationRecord.keep(entry, table);
    entry.setSchemaVersion(table.schemaVersion() + 1);
    if (!entry.hasAppliedSchema()) {
      entry.setAppliedSchema(table.entry().getSchema());
    }
    entry
        .setState(SysTablesEntryPB.State.ALTERING)
        .setStateMessage("Alteration to schema version " + entry.getSchemaVersion())
        .setAlterTimeMicros(time.nowMicros());
  }

  /**
   * Takes the unique indexes of a table to their next states if its replicas have done what is to
   * be done in the present ones.
   */
  TableChange advanceIndexes(String tableId, ObservedTablets observed) {
    return catalog.change(
        edit -> {
          TableInfo table = catalog.table(tableId);
          if (table == null || !UniqueIndexSteps.areUnfinished(table)) {
            return TableChange.none(tableId);
          }
          TableEntryPB.Builder entry = table.entry().toBuilder();
          String what =
              UniqueIndexSteps.advance(
                  entry, table, observed, index -> IndexTables.claimTablets(catalog, table, index));
          if (what.isEmpty()) {
            return TableChange.none(tableId);
          }
          begin(entry, table);
          edit.putTable(tableId, entry.build());
          return TableChange.of(
              tableId,
              "Table %s altered: schema version=%d, %s",
              table,
              entry.getSchemaVersion(),
              what);
        });
  }

  /**
   * Changes the record of the table of an index, and sends it to its tablets.
   *
   * @param change changes the record
   */
  TableChange alterIndexTable(String tableId, Consumer<TableEntryPB.Builder> change) {
    return catalog.change(
        edit -> {
          TableInfo table = catalog.table(tableId);
          if (table == null || table.isRemoved() || table.hasFailed()) {
            return TableChange.none(tableId);
          }
          TableEntryPB.Builder entry = table.entry().toBuilder();
          change.accept(entry);
          if (entry.build().equals(table.entry())) {
            return TableChange.none(tableId);
          }
          begin(entry, table);
          edit.putTable(tableId, entry.build());
          return TableChange.of(
              tableId,
              "Table %s altered with the table that it is an index of: schema version=%d,"
                  + " tablets of that table=%d",
              table,
              entry.getSchemaVersion(),
              entry.getDerivation().getSourceTabletIdsCount());
        });
  }

  private static void apply(AlterTableRequestPB.Step step, ColumnSteps columns, RangeSteps ranges) {
    switch (step.getType()) {
      case ADD_COLUMN -> {
        checkPresent(step.hasAddColumn(), "add_column", step);
        columns.add(step.getAddColumn().getSchema());
      }
      case DROP_COLUMN -> {
        checkPresent(step.hasDropColumn(), "drop_column", step);
        columns.drop(step.getDropColumn().getName());
      }
      case RENAME_COLUMN -> {
        checkPresent(step.hasRenameColumn(), "rename_column", step);
        columns.rename(step.getRenameColumn().getOldName(), step.getRenameColumn().getNewName());
      }
      case ALTER_COLUMN -> {
        checkPresent(step.getAlterColumn().hasDelta(), "alter_column", step);
        columns.alter(step.getAlterColumn().getDelta());
      }
      case ADD_RANGE_PARTITION -> {
        checkPresent(step.hasAddRangePartition(), "add_range_partition", step);
        ranges.add(step.getAddRangePartition());
      }
      case DROP_RANGE_PARTITION -> {
        checkPresent(step.hasDropRangePartition(), "drop_range_partition", step);
        ranges.drop(step.getDropRangePartition());
      }
      case UNKNOWN -> throw KuduException.invalidArgument("Invalid alter schema step: UNKNOWN");
    }
  }

  private static void checkPresent(boolean present, String what, AlterTableRequestPB.Step step) {
    if (!present) {
      throw KuduException.invalidArgument("%s step lacks %s", step.getType(), what);
    }
  }

  /**
   * Applies the parts of a request that are not steps: name, owner, comment, extra configuration,
   * replication factor. Returns whether the record has changed.
   */
  private boolean alterProperties(
      TableEntryPB.Builder entry, TableInfo table, AlterTableRequestPB request) {
    if (request.hasNewTableName()) {
      SchemaRules.checkIdentifier("table name", request.getNewTableNameBytes());
      checkNameIsFree(request.getNewTableName());
      entry.setName(request.getNewTableName());
    }
    if (request.hasNewTableOwner()) {
      SchemaRules.checkOwner(request.getNewTableOwnerBytes());
      entry.setOwner(request.getNewTableOwner());
    }
    if (request.hasNewTableComment()) {
      SchemaRules.checkComment(request.getNewTableCommentBytes());
      entry.setComment(request.getNewTableComment());
    }
    if (request.getNewExtraConfigsCount() > 0) {
      Map<String, String> merged =
          ExtraConfigs.merge(entry.getExtraConfigsMap(), request.getNewExtraConfigsMap());
      entry.clearExtraConfigs().putAllExtraConfigs(merged);
    }
    checkUnsupported(request);
    if (request.hasNumReplicas() && request.getNumReplicas() != entry.getNumReplicas()) {
      replication.check("alter", request.getNumReplicas(), servers.live().size());
      entry.setNumReplicas(request.getNumReplicas());
    }
    return !entry.build().equals(table.entry());
  }

  /** Rejects a new name that any regular table has, including the table itself. */
  private void checkNameIsFree(String name) {
    TableInfo existing = catalog.regularTableByName(name);
    if (existing != null) {
      throw MasterException.of(
          MasterErrorPB.Code.TABLE_ALREADY_PRESENT,
          StatusCode.ALREADY_PRESENT,
          "table %s already exists with id %s",
          name,
          existing.id());
    }
  }

  /** Rejects limits that tablets do not enforce, rather than recording them without effect. */
  private static void checkUnsupported(AlterTableRequestPB request) {
    if (request.hasDiskSizeLimit() || request.hasRowCountLimit()) {
      throw KuduException.notSupported("limits of a table's size and row count are not enforced");
    }
  }

  private void alterRanges(
      CatalogEdit edit, TableEntryPB.Builder entry, TableInfo table, RangeSteps ranges) {
    int generation = entry.getGeneration() + 1;
    int replicas = entry.getNumReplicas();
    Map<PartitionPB, String> added = ranges.added();
    if (!added.isEmpty()) {
      replication.check("alter", replicas, servers.live().size());
    }
    ReplicaPlacer placer =
        new ReplicaPlacer(new ServerPool(catalog, servers).forTablet(replicas), random);
    added.forEach(
        (partition, stepLabel) -> {
          String label = stepLabel.isEmpty() ? entry.getDimensionLabel() : stepLabel;
          records.add(
              edit,
              table.id(),
              generation,
              entry.getSchemaVersion(),
              partition,
              label,
              IndexTables.hasGlobal(entry.getIndexesList()),
              placer.place(replicas));
        });
    placer.commit();
    entry.setGeneration(generation);
    entry.setPartitioning(PartitioningRecord.write(ranges.partitions().schema()));
    for (var dropped : ranges.dropped()) {
      ByteString id = Ids.toWire(dropped.id());
      entry.addDroppingTabletIds(id);
    }
    if (!ranges.dropped().isEmpty()) { // they are built again without the rows of these tablets
      IndexTables.all(catalog, table).stream()
          .filter(index -> IndexTables.isGlobal(index.entry().getDerivation().getIndex()))
          .forEach(index -> remover.removeIndexTable(edit, index));
    }
  }
}
