package dev.kudu4j.master.tables;

import dev.kudu4j.common.proto.cluster.CreateTabletRequestPB;
import dev.kudu4j.common.schema.Schema;
import dev.kudu4j.common.wire.PartitionWire;
import dev.kudu4j.common.wire.SchemaWire;
import dev.kudu4j.master.catalog.TableInfo;
import dev.kudu4j.master.catalog.TabletInfo;
import dev.kudu4j.master.proto.catalog.TableEntryPB;
import dev.kudu4j.master.proto.catalog.TabletCreationPB;
import java.util.HashSet;
import java.util.Set;

/**
 * The schema and other properties that all replicas of a tablet are created with: those of its
 * table when the tablet was recorded. A replica that is created late, after the table was altered,
 * starts with the earlier schema too, and gets the alterations from the Raft log. If it started
 * with the present schema, members of one group would differ at the same position of their log.
 *
 * <p>A table's record keeps earlier schemas for as long as one of its tablets lacks a replica.
 */
final class CreationRecord {
  private CreationRecord() {}

  /** The properties that tablets recorded with this table record are created with. */
  private static TabletCreationPB ofNow(TableEntryPB entry) {
    return TabletCreationPB.newBuilder()
        .setSchemaVersion(entry.getSchemaVersion())
        .setSchema(entry.getSchema())
        .setTableName(entry.getName())
        .setPartitioning(entry.getPartitioning())
        .putAllExtraConfigs(entry.getExtraConfigsMap())
        .addAllIndexes(entry.getIndexesList())
        .setDerivation(entry.getDerivation())
        .build();
  }

  /** The properties that every replica of this tablet is created with. */
  private static TabletCreationPB of(TableInfo table, TabletInfo tablet) {
    for (TabletCreationPB earlier : table.entry().getEarlierCreationsList()) {
      if (tablet.entry().hasCreationVersion()
          && tablet.entry().getCreationVersion() == earlier.getSchemaVersion()) {
        return earlier;
      }
    }
    return ofNow(table.entry());
  }

  /**
   * Keeps in a table's new record the earlier properties that replicas are still to be created
   * with, and removes those that no tablet needs any more.
   *
   * @param before the table that is being altered
   */
  static void keep(TableEntryPB.Builder entry, TableInfo before) {
    Set<Integer> needed = new HashSet<>();
    for (TabletInfo tablet : before.tablets()) {
      if (!tablet.uncreated().isEmpty()) {
        needed.add(of(before, tablet).getSchemaVersion());
      }
    }
    entry.clearEarlierCreations();
    for (TabletCreationPB earlier : before.entry().getEarlierCreationsList()) {
      if (needed.contains(earlier.getSchemaVersion())) {
        entry.addEarlierCreations(earlier);
      }
    }
    if (needed.contains(before.schemaVersion())) {
      entry.addEarlierCreations(ofNow(before.entry()));
    }
  }

  /** Writes the properties that the tablet is created with to the request. */
  static void write(TableInfo table, TabletInfo tablet, CreateTabletRequestPB.Builder request) {
    TabletCreationPB creation = of(table, tablet);
    Schema schema = SchemaWire.fromWire(creation.getSchema());
    request
        .setTableType(table.entry().getTableType())
        .setTableName(creation.getTableName())
        .setSchema(creation.getSchema())
        .setSchemaVersion(creation.getSchemaVersion())
        .setPartitionSchema(
            PartitionWire.toWire(PartitioningRecord.read(creation.getPartitioning()), schema))
        .setExtraConfig(
            ExtraConfigs.toWire(
                creation.getExtraConfigsMap(),
                creation.getIndexesList(),
                creation.getDerivation()));
  }
}
