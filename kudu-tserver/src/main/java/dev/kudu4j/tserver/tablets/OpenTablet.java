package dev.kudu4j.tserver.tablets;

import dev.kudu4j.common.partition.Partition;
import dev.kudu4j.common.partition.PartitionSchema;
import dev.kudu4j.common.proto.common.PartitionPB;
import dev.kudu4j.common.proto.common.PartitionSchemaPB;
import dev.kudu4j.common.proto.tablet.TabletStatePB;
import dev.kudu4j.server.maintenance.AncientHistory;
import dev.kudu4j.server.maintenance.MaintainedTablet;
import dev.kudu4j.server.maintenance.ReplicaMaintenance;
import dev.kudu4j.server.maintenance.TableMaintenanceConfig;
import dev.kudu4j.server.replica.TabletReplica;
import dev.kudu4j.tablet.Tablet;
import org.jspecify.annotations.Nullable;

/** A tablet with its replica, and the decoded attributes of its descriptor. */
record OpenTablet(
    Tablet tablet,
    TabletReplica replica,
    MaintainedTablet maintained,
    Partition partition,
    PartitionSchema partitionSchema,
    PartitionPB partitionWire,
    PartitionSchemaPB partitionSchemaWire) {

  /**
   * @param history defines how far back the tablet can be read
   */
  static OpenTablet of(Tablet tablet, TabletReplica replica, AncientHistory history) {
    var attributes = tablet.descriptor().attributes();
    return new OpenTablet(
        tablet,
        replica,
        new ReplicaMaintenance(tablet, replica, history, () -> maintenanceConfig(tablet)),
        TabletAttributes.partition(attributes),
        TabletAttributes.partitionSchema(attributes, tablet.schema()),
        TabletAttributes.partitionWire(attributes),
        TabletAttributes.partitionSchemaWire(attributes));
  }

  /** The maintenance configuration in the table's current properties. */
  TableMaintenanceConfig maintenanceConfig() {
    return maintenanceConfig(tablet);
  }

  private static TableMaintenanceConfig maintenanceConfig(Tablet tablet) {
    return TabletAttributes.maintenanceConfig(tablet.descriptor().attributes());
  }

  TabletStatePB state() {
    return state(replica.lifeCycleState(), replica.reason());
  }

  /**
   * @param reason why the replica failed; null if it has not failed
   */
  static TabletStatePB state(TabletReplica.State replica, @Nullable Throwable reason) {
    if (reason != null) {
      return TabletStatePB.FAILED;
    }
    return switch (replica) {
      case STARTING -> TabletStatePB.BOOTSTRAPPING;
      case RUNNING -> TabletStatePB.RUNNING;
      case FAILED -> TabletStatePB.FAILED;
      case EVICTED, STOPPED -> TabletStatePB.STOPPED;
    };
  }
}
