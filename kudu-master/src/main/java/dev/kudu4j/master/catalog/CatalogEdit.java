package dev.kudu4j.master.catalog;

import dev.kudu4j.master.catalog.CatalogStore.Change;
import dev.kudu4j.master.proto.catalog.ServerEntryPB;
import dev.kudu4j.master.proto.catalog.TableEntryPB;
import dev.kudu4j.master.proto.catalog.TabletEntryPB;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A change of the catalog that is being prepared, under the catalog's lock. Readers do not see it
 * until it has been written.
 *
 * <p>Tablets are written before tables: a change of a table's set of tablets takes effect when the
 * table's record is written, even if the store had to split the batch into several log entries.
 */
public final class CatalogEdit {
  private final Catalog catalog;
  private final Map<String, TableEntryPB> tables = new LinkedHashMap<>();
  private final Map<String, TabletEntryPB> tablets = new LinkedHashMap<>();
  private final Map<String, ServerEntryPB> servers = new LinkedHashMap<>();
  private final Set<String> touchedTables = new LinkedHashSet<>();

  CatalogEdit(Catalog catalog) {
    this.catalog = catalog;
  }

  /** The catalog as it is before this edit; it cannot change while the edit is open. */
  public Catalog catalog() {
    return catalog;
  }

  public void putTable(String id, TableEntryPB entry) {
    tables.put(id, entry);
    touchedTables.add(id);
  }

  /** Removes a table. Its tablets must have been removed earlier or in this edit. */
  public void removeTable(String id) {
    tables.put(id, null);
    touchedTables.add(id);
  }

  public void putTablet(String id, TabletEntryPB entry) {
    tablets.put(id, entry);
    touchedTables.add(Ids.fromWire(entry.getTableId()));
  }

  public void removeTablet(TabletInfo tablet) {
    tablets.put(tablet.id(), null);
    touchedTables.add(tablet.tableId());
  }

  /** Records the state that an operator gives a tablet server. */
  public void putServer(String uuid, ServerEntryPB entry) {
    servers.put(uuid, entry);
  }

  /** Removes the state of a tablet server. */
  public void removeServer(String uuid) {
    servers.put(uuid, null);
  }

  List<Change> batch() {
    List<Change> batch = new ArrayList<>(tablets.size() + tables.size());
    tablets.forEach(
        (id, entry) ->
            batch.add(
                new Change(EntryKind.TABLET, id, entry == null ? null : entry.toByteString())));
    tables.forEach(
        (id, entry) ->
            batch.add(
                new Change(EntryKind.TABLE, id, entry == null ? null : entry.toByteString())));
    servers.forEach(
        (uuid, entry) ->
            batch.add(
                new Change(
                    EntryKind.TABLET_SERVER, uuid, entry == null ? null : entry.toByteString())));
    return batch;
  }

  Set<String> touchedTables() {
    return touchedTables;
  }

  Map<String, ServerEntryPB> servers() {
    return servers;
  }

  Map<String, TableEntryPB> tables() {
    return tables;
  }

  Map<String, TabletEntryPB> tablets() {
    return tablets;
  }

  /** The record that the table will have; null when it is removed. */
  TableEntryPB tableAfter(String id, TableInfo before) {
    if (tables.containsKey(id)) {
      return tables.get(id);
    }
    return before == null ? null : before.entry();
  }
}
