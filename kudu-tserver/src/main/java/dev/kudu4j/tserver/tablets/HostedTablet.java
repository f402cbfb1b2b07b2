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
import dev.kudu4j.server.maintenance.MaintainedTablet;
import dev.kudu4j.server.maintenance.TableMaintenanceConfig;
import dev.kudu4j.server.replica.TabletReplica;
import dev.kudu4j.tablet.Tablet;
import dev.kudu4j.tablet.TabletStatistics;
import dev.kudu4j.tserver.error.TabletServerError;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * One tablet on this server, from the moment its directory is known. It is bootstrapping until both
 * its tablet and its replica run; one that cannot be opened stays, failed, with the reason, until
 * it is deleted. {@link HostedState} has the life cycle.
 *
 * <p>Thread-safe.
 */
public final class HostedTablet {
  private final String tabletId;
  private final ScanCounts scans = new ScanCounts();
  private final WriteTimes writeTimes = new WriteTimes();
  private final AtomicReference<HostedState> state =
      new AtomicReference<>(HostedState.bootstrapping());
  private volatile @Nullable WriteSchema writeSchema;

  HostedTablet(String tabletId) {
    this.tabletId = tabletId;
  }

  /** A tablet of which only a tombstone is here. */
  static HostedTablet tombstoned(Tombstone tombstone) {
    HostedTablet hosted = new HostedTablet(tombstone.tabletId());
    hosted.change(now -> now.tombstoned(tombstone));
    return hosted;
  }

  /**
   * Takes one step of the life cycle.
   *
   * @param transition has no effects: it may be called again when another thread was faster
   * @throws IllegalStateException when the present state does not allow the step
   */
  void change(UnaryOperator<HostedState> transition) {
    state.updateAndGet(transition);
  }

  /** Everything about the tablet's life cycle at one moment. */
  HostedState now() {
    return state.get();
  }

  /** What is left of a replica that was here before; null if there is none, or it is open again. */
  public @Nullable Tombstone tombstone() {
    return now().tombstone();
  }

  /** The copy to this server that is under way, or null. */
  public @Nullable CopyProgress copy() {
    return now().copy();
  }

  /** Whether the replica's data are here, or only a tombstone or part of a copy. */
  public TabletDataState dataState() {
    return now().dataState();
  }

  /** One line on how the tablet is, for people. */
  public String lastStatus() {
    return now().lastStatus();
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
    return now().open() != null;
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
    HostedState now = now();
    OpenTablet open = now.open();
    return now.state() == TabletStatePB.FAILED
        || now.dataState() == TabletDataState.TABLET_DATA_TOMBSTONED
        || (open != null && open.replica().isLost());
  }

  /**
   * Throws what a caller is to be told when the tablet does not serve.
   *
   * @throws TabletServerError TABLET_NOT_RUNNING, TABLET_FAILED with the reason, or
   *     TABLET_NOT_FOUND for a tombstone
   */
  void checkRunning() {
    HostedState now = now();
    if (now.dataState() == TabletDataState.TABLET_DATA_TOMBSTONED) {
      throw new TabletServerError(
          TabletServerErrorPB.Code.TABLET_NOT_FOUND,
          StatusCode.ILLEGAL_STATE,
          "Tablet " + tabletId + " not RUNNING: there is only its tombstone on this server");
    }
    Throwable cause = now.cause();
    if (cause != null) {
      throw hasFailed(cause);
    }
    TabletStatePB is = now.state();
    if (is != TabletStatePB.RUNNING) {
      throw new TabletServerError(
          TabletServerErrorPB.Code.TABLET_NOT_RUNNING,
          StatusCode.ILLEGAL_STATE,
          "Tablet " + tabletId + " not RUNNING: " + is);
    }
  }

  private TabletServerError hasFailed(Throwable cause) {
    return new TabletServerError(
        TabletServerErrorPB.Code.TABLET_FAILED,
        StatusCode.ILLEGAL_STATE,
        "Tablet " + tabletId + " has failed on this server: " + cause.getMessage());
  }

  public TabletStatePB state() {
    return now().state();
  }

  /** Why the tablet does not serve, or null. */
  public @Nullable Throwable cause() {
    return now().cause();
  }

  public Tablet tablet() {
    return open().tablet();
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
    return open().maintained();
  }

  /**
   * Reading the tablet's rows failed: broken data fails the tablet, and only it.
   *
   * @return what the reader is to be told: that the tablet has failed here when another replica can
   *     be read instead, and otherwise the failure
   */
  public Throwable readFailed(Throwable failure) {
    TabletReplica replica = open().replica();
    boolean alone = replica.otherVoters().isEmpty();
    replica.failIfCorrupt(failure);
    return alone || replica.reason() == null ? failure : hasFailed(replica.reason());
  }

  public TabletReplica replica() {
    return open().replica();
  }

  public Partition partition() {
    return open().partition();
  }

  public PartitionSchema partitionSchema() {
    return open().partitionSchema();
  }

  public PartitionPB partitionWire() {
    return open().partitionWire();
  }

  public PartitionSchemaPB partitionSchemaWire() {
    return open().partitionSchemaWire();
  }

  /** What the table's properties ask for, as they are now. */
  public TableMaintenanceConfig wishes() {
    return open().wishes();
  }

  /** The schema that clients wrote with last, or null: nearly always the next one's too. */
  public @Nullable WriteSchema writeSchema() {
    return writeSchema;
  }

  public void rememberWriteSchema(WriteSchema schema) {
    writeSchema = schema;
  }

  private OpenTablet open() {
    OpenTablet open = now().open();
    if (open == null) {
      throw KuduException.serviceUnavailable("Tablet %s is not open yet; try again", tabletId);
    }
    return open;
  }
}
