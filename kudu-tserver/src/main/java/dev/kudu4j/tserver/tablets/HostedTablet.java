package dev.kudu4j.tserver.tablets;

import dev.kudu4j.common.partition.Partition;
import dev.kudu4j.common.partition.PartitionSchema;
import dev.kudu4j.common.proto.common.PartitionPB;
import dev.kudu4j.common.proto.common.PartitionSchemaPB;
import dev.kudu4j.common.proto.tablet.TabletDataState;
import dev.kudu4j.common.proto.tablet.TabletStatePB;
import dev.kudu4j.common.proto.tserver.TabletServerErrorPB;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.common.status.StatusCode;
import dev.kudu4j.server.maintenance.AncientHistory;
import dev.kudu4j.server.maintenance.MaintainedTablet;
import dev.kudu4j.server.maintenance.ReplicaMaintenance;
import dev.kudu4j.server.maintenance.TableMaintenanceConfig;
import dev.kudu4j.server.replica.TabletReplica;
import dev.kudu4j.tablet.Tablet;
import dev.kudu4j.tablet.TabletStatistics;
import dev.kudu4j.tserver.TabletServerError;

/**
 * One tablet on this server, from the moment its directory is known. It is opening until both its
 * tablet and its replica run; one that could not be opened stays, failed, with the reason, until
 * somebody deletes it.
 *
 * <p>Thread-safe.
 */
public final class HostedTablet {
  private final String tabletId;
  private final ScanCounts scans = new ScanCounts();
  private final WriteTimes writeTimes = new WriteTimes();
  private volatile Running running;
  private volatile Throwable failure;
  private volatile boolean stopping;
  private volatile boolean remainder;
  private volatile Tombstone tombstone;
  private volatile CopyProgress copy;
  private volatile WriteSchema writeSchema;

  private record Running(
      Tablet tablet,
      TabletReplica replica,
      MaintainedTablet maintained,
      Partition partition,
      PartitionSchema partitionSchema,
      PartitionPB partitionWire,
      PartitionSchemaPB partitionSchemaWire) {}

  HostedTablet(String tabletId) {
    this.tabletId = tabletId;
  }

  /** Of a replica that was given up. */
  static HostedTablet buried(Tombstone tombstone) {
    HostedTablet hosted = new HostedTablet(tombstone.tabletId());
    hosted.tombstone = tombstone;
    return hosted;
  }

  /** The tablet is open and its replica has started. */
  void opened(Tablet tablet, TabletReplica replica, AncientHistory history) {
    var attributes = tablet.descriptor().attributes();
    running =
        new Running(
            tablet,
            replica,
            new ReplicaMaintenance(tablet, replica, history, this::wishes),
            TabletAttributes.partition(attributes),
            TabletAttributes.partitionSchema(attributes, tablet.schema()),
            TabletAttributes.partitionWire(attributes),
            TabletAttributes.partitionSchemaWire(attributes));
    tombstone = null;
    copy = null;
  }

  /** A copy of the tablet to this server has been let in. */
  void copying(CopyProgress progress) {
    copy = progress;
  }

  /** The copy has ended without a replica. */
  void copyFailed(Tombstone left) {
    tombstone = left;
    copy = null;
  }

  void buriedAs(Tombstone left) {
    tombstone = left;
  }

  /** What is left of a replica that was given up; null when there is a replica. */
  public Tombstone tombstone() {
    return tombstone;
  }

  /** The copy to this server that is under way, or null. */
  public CopyProgress copy() {
    return copy;
  }

  /** Whether the replica's data are here, or only a tombstone or part of a copy. */
  public TabletDataState dataState() {
    if (copy != null) {
      return TabletDataState.TABLET_DATA_COPYING;
    }
    return tombstone != null
        ? TabletDataState.TABLET_DATA_TOMBSTONED
        : TabletDataState.TABLET_DATA_READY;
  }

  /** One line on how the tablet is, for people. */
  public String lastStatus() {
    CopyProgress copying = copy;
    Tombstone left = tombstone;
    Throwable cause = cause();
    if (copying != null) {
      return copying.text();
    }
    if (left != null) {
      return "Tombstoned at %d.%d: %s"
          .formatted(left.lastLogged().term(), left.lastLogged().index(), left.reason());
    }
    return cause == null ? state().name() : cause.toString();
  }

  void failed(Throwable cause) {
    failure = cause;
  }

  /** What lies here is left of a creation that a crash ended: it never ran and may be made anew. */
  void failedAsRemainder(Throwable cause) {
    failure = cause;
    remainder = true;
  }

  boolean isRemainder() {
    return remainder;
  }

  void stopping() {
    stopping = true;
  }

  public String tabletId() {
    return tabletId;
  }

  /** How long writes to the tablet took here. */
  public WriteTimes writeTimes() {
    return writeTimes;
  }

  /** What scans of the tablet have done here. */
  public ScanCounts scans() {
    return scans;
  }

  /** Whether tablet and replica are there: the accessors below may be called. */
  public boolean isOpen() {
    return running != null;
  }

  /** Whether the tablet serves: open, and neither failed nor on its way out. */
  public boolean isRunning() {
    return state() == TabletStatePB.RUNNING;
  }

  /**
   * Whether only a copy could make it serve again: it has failed, was thrown out of its group, or
   * is a tombstone.
   */
  public boolean isLost() {
    return state() == TabletStatePB.FAILED
        || dataState() == TabletDataState.TABLET_DATA_TOMBSTONED
        || (isOpen() && replica().isLost());
  }

  /**
   * Throws what a caller is to be told when the tablet does not serve.
   *
   * @throws TabletServerError TABLET_NOT_RUNNING, TABLET_FAILED with the reason, or
   *     TABLET_NOT_FOUND for a tombstone
   */
  void checkRunning() {
    if (dataState() == TabletDataState.TABLET_DATA_TOMBSTONED) {
      throw new TabletServerError(
          TabletServerErrorPB.Code.TABLET_NOT_FOUND,
          StatusCode.ILLEGAL_STATE,
          "Tablet " + tabletId + " not RUNNING: there is only its tombstone on this server");
    }
    Throwable cause = cause();
    if (cause != null) {
      throw hasFailed(cause);
    }
    if (state() != TabletStatePB.RUNNING) {
      throw new TabletServerError(
          TabletServerErrorPB.Code.TABLET_NOT_RUNNING,
          StatusCode.ILLEGAL_STATE,
          "Tablet " + tabletId + " not RUNNING: " + state());
    }
  }

  private TabletServerError hasFailed(Throwable cause) {
    return new TabletServerError(
        TabletServerErrorPB.Code.TABLET_FAILED,
        StatusCode.ILLEGAL_STATE,
        "Tablet " + tabletId + " has failed on this server: " + cause.getMessage());
  }

  public TabletStatePB state() {
    if (dataState() != TabletDataState.TABLET_DATA_READY) {
      return copy != null ? TabletStatePB.INITIALIZED : TabletStatePB.STOPPED;
    }
    Running now = running;
    if (stopping) {
      return TabletStatePB.STOPPING;
    }
    if (cause() != null) {
      return TabletStatePB.FAILED;
    }
    if (now == null) {
      return TabletStatePB.BOOTSTRAPPING;
    }
    return switch (now.replica.lifeCycleState()) {
      case STARTING -> TabletStatePB.BOOTSTRAPPING;
      case RUNNING -> TabletStatePB.RUNNING;
      case FAILED -> TabletStatePB.FAILED;
      case EVICTED, STOPPED -> TabletStatePB.STOPPED;
    };
  }

  /** Why the tablet does not serve, or null. */
  public Throwable cause() {
    if (failure != null) {
      return failure;
    }
    Running now = running;
    return now == null ? null : now.replica.reason();
  }

  public Tablet tablet() {
    return open().tablet;
  }

  /** The tablet's sizes now; those seen last once it is closed. */
  public TabletStatistics statistics() {
    return maintained().statistics();
  }

  /** What the tablet takes on disk: its data files, and the log of rows that no file holds yet. */
  public long onDiskBytes() {
    MaintainedTablet now = maintained();
    return now.statistics().onDiskBytes() + now.unflushedLogBytes();
  }

  /** The tablet, for the server's maintenance. */
  public MaintainedTablet maintained() {
    return open().maintained;
  }

  /**
   * Reading the tablet's rows failed: broken data fails the tablet, and only it.
   *
   * @return what the reader is to be told: that the tablet has failed here when another replica can
   *     be read instead, and otherwise the failure
   */
  public Throwable readFailed(Throwable failure) {
    TabletReplica replica = open().replica;
    boolean alone = replica.otherVoters().isEmpty();
    replica.failIfCorrupt(failure);
    return alone || replica.reason() == null ? failure : hasFailed(replica.reason());
  }

  public TabletReplica replica() {
    return open().replica;
  }

  public Partition partition() {
    return open().partition;
  }

  public PartitionSchema partitionSchema() {
    return open().partitionSchema;
  }

  public PartitionPB partitionWire() {
    return open().partitionWire;
  }

  public PartitionSchemaPB partitionSchemaWire() {
    return open().partitionSchemaWire;
  }

  /** What the table's properties ask for, as they are now. */
  public TableMaintenanceConfig wishes() {
    return TabletAttributes.wishes(tablet().descriptor().attributes());
  }

  /** The schema that clients wrote with last, or null: nearly always the next one's too. */
  public WriteSchema writeSchema() {
    return writeSchema;
  }

  public void rememberWriteSchema(WriteSchema schema) {
    writeSchema = schema;
  }

  private Running open() {
    Running now = running;
    if (now == null) {
      throw KuduException.serviceUnavailable("Tablet %s is not open yet; try again", tabletId);
    }
    return now;
  }
}
