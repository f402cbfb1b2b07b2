package dev.kudu4j.master.catalog;

import com.google.errorprone.annotations.FormatMethod;
import com.google.protobuf.ByteString;
import dev.kudu4j.master.proto.catalog.TableEntryPB;
import dev.kudu4j.master.proto.catalog.TabletEntryPB;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Checks the invariants of the catalog after each change. For use in {@code assert}: a check
 * returns true or throws an {@link AssertionError} that names the broken invariant.
 */
final class CatalogInvariants {
  private static final Comparator<ByteString> KEY_ORDER =
      ByteString.unsignedLexicographicalComparator();

  private CatalogInvariants() {}

  /** The tables that an edit touches, as they are before it. */
  static Map<String, TableInfo> before(Catalog catalog, CatalogEdit edit) {
    Map<String, TableInfo> tables = new HashMap<>();
    edit.touchedTables().forEach(id -> tables.put(id, catalog.table(id)));
    return tables;
  }

  /**
   * Checks the tables that an edit has touched.
   *
   * @param before the result of {@link #before}
   */
  static boolean hold(Catalog catalog, CatalogEdit edit, Map<String, TableInfo> before) {
    checkMemoryIsWhatWasWritten(catalog, edit);
    before.forEach(
        (id, earlier) -> {
          TableInfo table = catalog.table(id);
          if (table != null) {
            checkTabletsBelongTo(catalog, table);
            checkPartitionsAreDisjoint(table);
            if (earlier != null) {
              checkVersionsGrow(earlier, table);
            }
          }
        });
    return true;
  }

  private static void checkMemoryIsWhatWasWritten(Catalog catalog, CatalogEdit edit) {
    edit.tables()
        .forEach(
            (id, entry) -> {
              TableInfo table = catalog.table(id);
              check(
                  Objects.equals(entry, table == null ? null : table.entry()),
                  "The record of table %s differs from what was written",
                  id);
            });
    edit.tablets()
        .forEach(
            (id, entry) -> {
              TabletInfo tablet = catalog.tablet(id);
              check(
                  Objects.equals(entry, tablet == null ? null : tablet.entry()),
                  "The record of tablet %s differs from what was written",
                  id);
            });
    edit.servers()
        .forEach(
            (uuid, entry) ->
                check(
                    catalog.serverStates().get(uuid) == (entry == null ? null : entry.getState()),
                    "The record of tablet server %s differs from what was written",
                    uuid));
  }

  /**
   * Checks that the lookup of each of the table's tablets by id returns that tablet, with this
   * table's id.
   */
  private static void checkTabletsBelongTo(Catalog catalog, TableInfo table) {
    for (TabletInfo tablet : table.recordedTablets()) {
      check(
          tablet.tableId().equals(table.id()) && catalog.tablet(tablet.id()) == tablet,
          "Tablet %s is listed by table %s and belongs to table %s",
          tablet.id(),
          table,
          tablet.tableId());
    }
  }

  private static void checkPartitionsAreDisjoint(TableInfo table) {
    TabletInfo previous = null;
    for (TabletInfo tablet : table.tablets()) {
      if (previous != null) {
        ByteString end = previous.partition().getPartitionKeyEnd();
        check(
            !end.isEmpty() && KEY_ORDER.compare(end, tablet.startKey()) <= 0,
            "Tablets %s and %s of table %s overlap",
            previous.id(),
            tablet.id(),
            table);
      }
      previous = tablet;
    }
  }

  private static void checkVersionsGrow(TableInfo before, TableInfo after) {
    TableEntryPB old = before.entry();
    TableEntryPB now = after.entry();
    check(
        now.getSchemaVersion() >= old.getSchemaVersion()
            && now.getGeneration() >= old.getGeneration()
            && now.getNextColumnId() >= old.getNextColumnId(),
        "Schema version, generation or next column id of table %s went back",
        after);
    Map<String, TabletInfo> tablets = new HashMap<>();
    List<TabletInfo> earlier = new ArrayList<>(before.recordedTablets());
    earlier.forEach(tablet -> tablets.put(tablet.id(), tablet));
    for (TabletInfo tablet : after.recordedTablets()) {
      TabletInfo was = tablets.get(tablet.id());
      check(
          was == null || isLaterOrSame(tablet.entry(), was),
          "The configuration of tablet %s went back, or the tablet no longer runs",
          tablet.id());
    }
  }

  private static boolean isLaterOrSame(TabletEntryPB now, TabletInfo was) {
    long term = now.hasConfigTerm() ? now.getConfigTerm() : -1;
    long index = now.getConfig().getOpidIndex();
    boolean same =
        now.getConfigTerm() == was.entry().getConfigTerm() && index == was.config().getOpidIndex();
    boolean runs = now.getState().equals(was.entry().getState()) || !was.isRunning();
    return runs && (same || was.isLaterConfig(term, index));
  }

  @FormatMethod
  private static void check(boolean holds, String format, Object... values) {
    if (!holds) {
      throw new AssertionError(String.format(format, values));
    }
  }
}
