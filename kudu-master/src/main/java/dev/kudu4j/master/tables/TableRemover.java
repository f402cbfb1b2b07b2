package dev.kudu4j.master.tables;

import com.google.protobuf.ByteString;
import dev.kudu4j.common.proto.master.DeleteTableRequestPB;
import dev.kudu4j.common.proto.master.MasterErrorPB;
import dev.kudu4j.common.proto.master.RecallDeletedTableRequestPB;
import dev.kudu4j.common.proto.master.SysTablesEntryPB;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.common.status.StatusCode;
import dev.kudu4j.common.time.TimeSource;
import dev.kudu4j.common.wire.SchemaRules;
import dev.kudu4j.master.catalog.Catalog;
import dev.kudu4j.master.catalog.CatalogEdit;
import dev.kudu4j.master.catalog.TableFinder;
import dev.kudu4j.master.catalog.TableInfo;
import dev.kudu4j.master.failure.MasterException;
import dev.kudu4j.master.proto.catalog.TableEntryPB;
import dev.kudu4j.master.reconcile.Reconciler;
import java.util.function.Function;

/**
 * Drops and soft-deletes tables, and recalls soft-deleted ones. The name of a dropped table can be
 * reused immediately; its record is kept until no replica is left.
 */
final class TableRemover {
  private final Catalog catalog;
  private final TimeSource time;

  TableRemover(Catalog catalog, TimeSource time) {
    this.catalog = catalog;
    this.time = time;
  }

  /**
   * Records that a table is dropped.
   *
   * @param defaultReserveSeconds reserve time for a request without one; 0 drops the table for good
   */
  TableChange delete(DeleteTableRequestPB request, int defaultReserveSeconds) {
    int reserveSeconds =
        request.hasReserveSeconds() ? request.getReserveSeconds() : defaultReserveSeconds;
    return once(
        request.getRequestKey(),
        edit -> {
          TableInfo table = TableFinder.find(catalog, request.getTable());
          if (reserveSeconds != 0 && table.isSoftDeleted()) {
            throw MasterException.of(
                MasterErrorPB.Code.TABLE_SOFT_DELETED,
                StatusCode.INVALID_ARGUMENT,
                "table %s is soft deleted already; delete it with 0 reserve seconds or recall it",
                table);
          }
          if (reserveSeconds == 0 || table.hasFailed()) {
            return remove(edit, table, request.getRequestKey());
          }
          return softDelete(edit, table, reserveSeconds, request.getRequestKey());
        });
  }

  /** Makes a change unless the same request has made it before. */
  private TableChange once(ByteString requestKey, Function<CatalogEdit, TableChange> change) {
    return catalog.change(
        edit ->
            RequestKeys.find(catalog, requestKey)
                .map(TableChange::none)
                .orElseGet(() -> change.apply(edit)));
  }

  private TableChange remove(CatalogEdit edit, TableInfo table, ByteString requestKey) {
    TableEntryPB entry =
        dropped(table)
            .setState(SysTablesEntryPB.State.REMOVED)
            .clearReserveSeconds()
            .setStateMessage("Dropped")
            .build();
    edit.putTable(table.id(), RequestKeys.note(entry, requestKey));
    return TableChange.of(
        table.id(), "Table %s deleted: tablets=%d", table, table.tablets().size());
  }

  /** Records that the table of an index is dropped. */
  TableChange removeIndexTable(CatalogEdit edit, TableInfo table) {
    return remove(edit, table, ByteString.EMPTY);
  }

  /** Drops the table of an index. */
  TableChange removeIndexTable(String tableId) {
    return catalog.change(
        edit -> {
          TableInfo table = catalog.table(tableId);
          return table == null || table.isRemoved()
              ? TableChange.none(tableId)
              : removeIndexTable(edit, table);
        });
  }

  private TableChange softDelete(
      CatalogEdit edit, TableInfo table, int reserveSeconds, ByteString requestKey) {
    if (table.isAltering()) {
      throw KuduException.serviceUnavailable(
          "table %s is being altered; soft-delete it when that is done", table);
    }
    TableEntryPB entry =
        dropped(table)
            .setState(SysTablesEntryPB.State.SOFT_DELETED)
            .setReserveSeconds(reserveSeconds)
            .setStateMessage("Soft-deleted")
            .build();
    edit.putTable(table.id(), RequestKeys.note(entry, requestKey));
    return TableChange.of(
        table.id(), "Table %s soft-deleted: kept for %d s", table, reserveSeconds);
  }

  private TableEntryPB.Builder dropped(TableInfo table) {
    return table.entry().toBuilder().setDeleteTimeMicros(time.nowMicros());
  }

  /** Recalls a soft-deleted table. */
  TableChange recall(RecallDeletedTableRequestPB request) {
    if (!request.getTable().hasTableId()) {
      throw KuduException.invalidArgument("a soft-deleted table is recalled by its table ID");
    }
    return once(
        request.getRequestKey(),
        edit -> {
          TableInfo table = TableFinder.find(catalog, request.getTable());
          if (!table.isSoftDeleted()) {
            throw MasterException.tableNotFound("table %s is not soft deleted", table);
          }
          String name = request.hasNewTableName() ? request.getNewTableName() : table.name();
          if (request.hasNewTableName()) {
            SchemaRules.checkIdentifier("table name", request.getNewTableNameBytes());
          }
          return recall(edit, table, name, request.getRequestKey());
        });
  }

  private TableChange recall(
      CatalogEdit edit, TableInfo table, String name, ByteString requestKey) {
    TableInfo existing = catalog.regularTableByName(name);
    if (existing != null) {
      throw MasterException.of(
          MasterErrorPB.Code.TABLE_ALREADY_PRESENT,
          StatusCode.ALREADY_PRESENT,
          "table %s already exists with id %s; recall the table under another name",
          name,
          existing.id());
    }
    boolean renamed = !name.equals(table.name());
    TableEntryPB.Builder entry =
        table.entry().toBuilder()
            .setName(name)
            .setState(renamed ? SysTablesEntryPB.State.ALTERING : SysTablesEntryPB.State.RUNNING)
            .clearReserveSeconds()
            .clearDeleteTimeMicros()
            .clearStateMessage();
    if (renamed) { // the tablets get the new name by an alteration
      CreationRecord.keep(entry, table);
      entry.setSchemaVersion(table.schemaVersion() + 1).setAppliedSchema(table.entry().getSchema());
    }
    edit.putTable(table.id(), RequestKeys.note(entry.build(), requestKey));
    return TableChange.of(table.id(), "Table %s recalled: name=%s", table, name);
  }

  /** Drops a soft-deleted table for good if its reserve time is over. */
  TableChange removeExpired(String tableId) {
    return catalog.change(
        edit -> {
          TableInfo table = catalog.table(tableId);
          boolean expired =
              table != null
                  && table.isSoftDeleted()
                  && Reconciler.isExpired(table, time.nowMicros());
          return expired ? remove(edit, table, ByteString.EMPTY) : TableChange.none(tableId);
        });
  }
}
