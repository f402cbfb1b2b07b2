package dev.kudu4j.master.tables;

import dev.kudu4j.common.proto.common.PartitionPB;
import dev.kudu4j.common.proto.consensus.RaftConfigPB;
import dev.kudu4j.common.proto.master.SysTabletsEntryPB;
import dev.kudu4j.common.time.TimeSource;
import dev.kudu4j.master.catalog.Catalog;
import dev.kudu4j.master.catalog.CatalogEdit;
import dev.kudu4j.master.catalog.Ids;
import dev.kudu4j.master.heartbeat.RegisteredServer;
import dev.kudu4j.master.proto.catalog.TabletEntryPB;
import java.util.List;
import java.util.random.RandomGenerator;

/** Makes the records of new tablets. */
final class TabletRecords {
  /** The index of the configuration of a new tablet. This configuration is in no log entry. */
  private static final long INITIAL_CONFIG_INDEX = -1;

  private final RandomGenerator random;
  private final TimeSource time;

  TabletRecords(RandomGenerator random, TimeSource time) {
    this.random = random;
    this.time = time;
  }

  /**
   * Stages a new tablet on the given servers, and returns its id.
   *
   * @param schemaVersion the table's present schema version, with which all replicas are created
   */
  String add(
      CatalogEdit edit,
      String tableId,
      int generation,
      int schemaVersion,
      PartitionPB partition,
      String dimensionLabel,
      List<RegisteredServer> servers) {
    return add(edit, tableId, generation, schemaVersion, partition, dimensionLabel, false, servers);
  }

  /**
   * Like {@link #add(CatalogEdit, String, int, int, PartitionPB, String, List)}.
   *
   * @param awaitsIndexes whether it is not created before {@link IndexTables} has told the indexes
   */
  String add(
      CatalogEdit edit,
      String tableId,
      int generation,
      int schemaVersion,
      PartitionPB partition,
      String dimensionLabel,
      boolean awaitsIndexes,
      List<RegisteredServer> servers) {
    String id = Ids.random(random);
    RaftConfigPB.Builder config =
        RaftConfigPB.newBuilder()
            .setOpidIndex(INITIAL_CONFIG_INDEX)
            .setOBSOLETELocal(servers.size() == 1);
    servers.forEach(server -> config.addPeers(server.asVoter()));
    TabletEntryPB.Builder entry =
        TabletEntryPB.newBuilder()
            .setVersion(Catalog.RECORD_VERSION)
            .setTableId(Ids.toWire(tableId))
            .setPartition(partition)
            .setState(SysTabletsEntryPB.State.CREATING)
            .setGeneration(generation)
            .setConfig(config)
            .setCreationVersion(schemaVersion)
            .setCreateTimeMicros(time.nowMicros());
    servers.forEach(server -> entry.addUncreatedUuids(Ids.toWire(server.uuid())));
    if (awaitsIndexes) {
      entry.setAwaitsIndexes(true);
    }
    if (!dimensionLabel.isEmpty()) {
      entry.setDimensionLabel(dimensionLabel);
    }
    edit.putTablet(id, entry.build());
    return id;
  }
}
