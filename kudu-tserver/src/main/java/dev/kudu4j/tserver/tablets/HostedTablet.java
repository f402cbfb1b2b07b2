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
import dev.kudu4j.common.time.HybridTime;
import dev.kudu4j.server.maintenance.MaintainedTablet;
import dev.kudu4j.server.maintenance.TableMaintenanceConfig;
import dev.kudu4j.server.replica.TabletReplica;
import dev.kudu4j.tablet.Tablet;
import dev.kudu4j.tablet.TabletDescriptor;
import dev.kudu4j.tablet.TabletStatistics;
import dev.kudu4j.tserver.error.TabletServerError;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * One tablet on this server, from the moment its directory is known. It is in state bootstrapping
 * until the tablet is open and its replica has started. A tablet that cannot be opened remains in
 * state failed, with the reason, until it is deleted. {@link HostedState} has the life cycle.
 *
 * <p>Thread-safe.
 */
public final class HostedTablet {
  private final String tabletId;
  private final ScanCounts scans = new ScanCounts();
  private final WriteTimes writeTimes = new WriteTimes();
  private final AtomicReference<HostedState> state =
      new AtomicReference<>(HostedState.bootstrapping());
  private volatile @Nullable ReadFreshness readFreshness;

  private record ReadFreshness(TabletDescriptor descriptor, long micros) {}

  private volatile @Nullable KnownDerivation derivation;

  private record KnownDerivation(TabletDescriptor descriptor, @Nullable Derivation derivation) {}

  private volatile @Nullable WriteSchema writeSchema;
  private volatile long feedKnown;
  private volatile boolean stale;
  private volatile @Nullable String incomplete;
  private final Map<Integer, ClaimProgress> claims = new ConcurrentHashMap<>();

  HostedTablet(String tabletId) {
    this.tabletId = tabletId;
  }

  /** A tablet that has only a tombstone. */
  static HostedTablet tombstoned(Tombstone tombstone) {
    HostedTablet hosted = new HostedTablet(tombstone.tabletId());
    hosted.change(now -> now.tombstoned(tombstone));
    return hosted;
  }

  /**
   * Performs one transition of the life cycle.
   *
   * @param transition must have no side effects: it is called again if another thread changes the
   *     state concurrently
   * @throws IllegalStateException if the current state does not allow the transition
   */
  void change(UnaryOperator<HostedState> transition) {
    state.updateAndGet(transition);
  }

  /** The current state of the tablet's life cycle. */
  HostedState now() {
    return Objects.requireNonNull(state.get(), "a tablet always has a state");
  }

  /**
   * The tombstone of the earlier replica; null if there is none, or if the tablet has been opened
   * again.
   */
  public @Nullable Tombstone tombstone() {
    return now().tombstone();
  }

  /** The copy to this server that is in progress, or null. */
  public @Nullable CopyProgress copy() {
    return now().copy();
  }

  /** The data on disk: the complete data of the replica, only a tombstone, or part of a copy. */
  public TabletDataState dataState() {
    return now().dataState();
  }

  /** The status of the tablet in one line, for people. */
  public String lastStatus() {
    return now().lastStatus();
  }

  public String tabletId() {
    return tabletId;
  }

  /** The durations of writes to the tablet on this server. */
  public WriteTimes writeTimes() {
    return writeTimes;
  }

  /** The counters of the tablet's scans on this server. */
  public ScanCounts scans() {
    return scans;
  }

  /**
   * Whether the tablet is open with its replica. Only then may {@link #tablet}, {@link #replica}
   * and the other accessors of their attributes be called.
   */
  public boolean isOpen() {
    return now().open() != null;
  }

  /** Whether the tablet serves requests: it is open, and neither failed nor stopping. */
  public boolean isRunning() {
    return state() == TabletStatePB.RUNNING;
  }

  /**
   * Whether only a copy can make the tablet serve again: it has failed, was evicted from its group,
   * or is a tombstone.
   */
  public boolean isLost() {
    HostedState now = now();
    OpenTablet open = now.open();
    return now.state() == TabletStatePB.FAILED
        || now.dataState() == TabletDataState.TABLET_DATA_TOMBSTONED
        || (open != null && open.replica().isLost());
  }

  /**
   * Throws the error for the caller if the tablet does not serve requests.
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
          "Tablet " + tabletId + " not RUNNING: this server has only its tombstone");
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

  /** The current sizes of the tablet; the last known sizes after it is closed. */
  public TabletStatistics statistics() {
    return maintained().statistics();
  }

  /** The bytes of the tablet on disk: its data files, and the log of rows that are not flushed. */
  public long onDiskBytes() {
    MaintainedTablet now = maintained();
    return now.statistics().onDiskBytes() + now.unflushedLogBytes();
  }

  /** The tablet as the server's maintenance sees it. */
  public MaintainedTablet maintained() {
    return open().maintained();
  }

  /**
   * Handles a failure to read the tablet's rows. Corrupt data fails this tablet only.
   *
   * @return the error for the reader: TABLET_FAILED if the replica has failed and the group has
   *     other voters, from which the client can read instead; otherwise {@code failure}
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

  /** Whether the tablet belongs to the table of transactions. */
  public boolean isStatusTablet() {
    return TabletAttributes.isStatusTablet(open().tablet().descriptor().attributes());
  }

  public PartitionPB partitionWire() {
    return open().partitionWire();
  }

  public PartitionSchemaPB partitionSchemaWire() {
    return open().partitionSchemaWire();
  }

  /** The maintenance configuration in the table's current properties. */
  public TableMaintenanceConfig maintenanceConfig() {
    return open().maintenanceConfig();
  }

  /**
   * How old scans of the latest rows may be, in microseconds: a property of the table, 0 by
   * default.
   */
  @SuppressWarnings("ReferenceEquality") // an alteration creates another descriptor
  public long readFreshnessMicros() {
    TabletDescriptor descriptor = open().tablet().descriptor();
    ReadFreshness known = readFreshness;
    if (known == null || known.descriptor != descriptor) {
      known =
          new ReadFreshness(
              descriptor, TabletAttributes.readFreshnessMicros(descriptor.attributes()));
      readFreshness = known;
    }
    return known.micros;
  }

  /** Whether this is a tablet with claims of the values of a unique index. */
  public boolean hasClaims() {
    TabletDescriptor descriptor = open().tablet().descriptor();
    return !descriptor.isDerived() && TabletAttributes.isOfIndex(descriptor.attributes());
  }

  /** Notes how far this server has claimed the values of the rows. */
  public void noteClaims(ClaimProgress progress) {
    claims.put(progress.indexId(), progress);
  }

  /** How far this server has claimed the values of the rows, if it leads the tablet. */
  public List<ClaimProgress> claims() {
    return claims.values().stream().filter(one -> replica().leadsIn(one.term())).toList();
  }

  /** What the rows of a derived tablet are computed from; null for other tablets. */
  @SuppressWarnings("ReferenceEquality") // an alteration creates another descriptor
  public @Nullable Derivation derivation() {
    TabletDescriptor descriptor = open().tablet().descriptor();
    if (!descriptor.isDerived()) {
      return null;
    }
    KnownDerivation known = derivation;
    if (known == null || known.descriptor != descriptor) {
      known = new KnownDerivation(descriptor, TabletAttributes.derivation(descriptor.attributes()));
      derivation = known;
    }
    return known.derivation;
  }

  /** Whether a derived tablet has all rows of the snapshot from which it is built. */
  public boolean isBuilt() {
    Derivation known = derivation();
    return known != null
        && open().tablet().descriptor().feedMark().complete() >= known.buildTimestamp();
  }

  /**
   * Notes that a derived tablet, which this server leads, lacks no change below a timestamp, or
   * will have it soon.
   */
  public void noteFeedKnown(long timestamp) {
    feedKnown = timestamp;
  }

  /**
   * How far a derived tablet is behind its table, in microseconds: the age of the first change that
   * this server does not know. Other replicas than the leader learn it with the next entry.
   */
  public long feedLagMicros() {
    long known = Math.max(feedKnown, open().tablet().descriptor().feedMark().complete());
    long now = TimeUnit.MILLISECONDS.toMicros(System.currentTimeMillis());
    return Math.max(0, now - HybridTime.micros(known));
  }

  /** Notes why a derived tablet cannot have all rows, for people. */
  public void markIncomplete(String reason) {
    incomplete = reason;
  }

  /** Why a derived tablet cannot have all rows; null if nothing is known against it. */
  public @Nullable String incomplete() {
    return incomplete;
  }

  /** Whether a derived tablet will get no more rows. */
  public boolean hasFeedEnded() {
    return stale || incomplete != null;
  }

  /** Marks a derived tablet as one that lacks changes that are no longer kept. */
  public void markStale() {
    stale = true;
  }

  /** Whether this server, as the leader of a derived tablet, has found that it is stale. */
  public boolean isStale() {
    return stale;
  }

  /**
   * The lowest timestamp of a row or change in memory; Long.MAX_VALUE if there is none, if the
   * tablet belongs to another table, or if it does not run.
   */
  public long oldestInMemory(String tableId) {
    HostedState now = now();
    OpenTablet open = now.open();
    return open != null
            && now.state() == TabletStatePB.RUNNING
            && open.tablet().descriptor().tableId().equals(tableId)
        ? open.tablet().oldestInMemory()
        : Long.MAX_VALUE;
  }

  /**
   * The schema of the last write, or null. The next write nearly always has the same schema, so it
   * need not be matched again.
   */
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
