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
 * What the replicas of a tablet start with: the schema that its table had when the tablet was
 * recorded. A replica that is created late starts with the same as the others, however often the
 * table was altered since, and follows them through the log. Were it to start with the schema of
 * the day, members of one group would differ with no log entry between them.
 *
 * <p>A table's record keeps earlier schemas for as long as one of its tablets lacks a replica.
 */
final class CreationRecord {
  private CreationRecord() {}

  /** What tablets start with that are recorded with a table as it is. */
  private static TabletCreationPB ofNow(TableEntryPB entry) {
    return TabletCreationPB.newBuilder()
        .setSchemaVersion(entry.getSchemaVersion())
        .setSchema(entry.getSchema())
        .setTableName(entry.getName())
        .setPartitioning(entry.getPartitioning())
        .putAllExtraConfigs(entry.getExtraConfigsMap())
        .build();
  }

  /** What every replica of a tablet starts with. */
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
   * Keeps in a table's new record what its tablets without all replicas start with, and drops what
   * no tablet needs.
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

  /** Fills in what a tablet starts with. */
  static void write(TableInfo table, TabletInfo tablet, CreateTabletRequestPB.Builder request) {
    TabletCreationPB creation = of(table, tablet);
    Schema schema = SchemaWire.fromWire(creation.getSchema());
    request
        .setTableName(creation.getTableName())
        .setSchema(creation.getSchema())
        .setSchemaVersion(creation.getSchemaVersion())
        .setPartitionSchema(
            PartitionWire.toWire(PartitioningRecord.read(creation.getPartitioning()), schema))
        .setExtraConfig(ExtraConfigs.toWire(creation.getExtraConfigsMap()));
  }
}
