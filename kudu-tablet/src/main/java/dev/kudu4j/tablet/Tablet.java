package dev.kudu4j.tablet;

import dev.kudu4j.common.expression.Aggregation;
import dev.kudu4j.common.index.IndexDefinition;
import dev.kudu4j.common.schema.Schema;
import dev.kudu4j.common.time.Epochs;
import dev.kudu4j.tablet.apply.AppliedState;
import dev.kudu4j.tablet.apply.WritePath;
import dev.kudu4j.tablet.check.IndexVerification;
import dev.kudu4j.tablet.checkpoint.PinnedCheckpoint;
import dev.kudu4j.tablet.checkpoint.StoreUpdater;
import dev.kudu4j.tablet.checkpoint.StoreWork;
import dev.kudu4j.tablet.checkpoint.TabletOpener;
import dev.kudu4j.tablet.components.Components;
import dev.kudu4j.tablet.env.TabletEnvironment;
import dev.kudu4j.tablet.feed.ChangeBatch;
import dev.kudu4j.tablet.feed.FeedRequest;
import dev.kudu4j.tablet.log.LogEntry;
import dev.kudu4j.tablet.log.LogPosition;
import dev.kudu4j.tablet.log.RequestId;
import dev.kudu4j.tablet.log.RequestResult;
import dev.kudu4j.tablet.maintenance.TabletMaintenance;
import dev.kudu4j.tablet.proto.SuperblockPB;
import dev.kudu4j.tablet.scan.ScanSpec;
import dev.kudu4j.tablet.scan.TabletScanner;
import dev.kudu4j.tablet.scan.aggregate.AggregateRow;
import dev.kudu4j.tablet.transaction.OpenTransaction;
import dev.kudu4j.tablet.unique.UniqueChecks;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The state of one tablet, a pure function of the log applied to it.
 *
 * <p>One thread applies entries in log order; any number of threads scan; one thread runs a
 * checkpoint. A snapshot T contains exactly the operations with timestamp &lt; T. This class is the
 * facade of the write path ({@link WritePath}), the read path ({@link ReadPath}) and the updates of
 * files ({@link StoreUpdater}).
 */
public final class Tablet implements AutoCloseable {
  private final AppliedState state;
  private final WritePath writes;
  private final ReadPath reads;
  private final StoreUpdater store;
  private final TabletMaintenance maintenance;

  private Tablet(TabletEnvironment environment, SuperblockPB superblock) throws IOException {
    this.state = new TabletOpener(environment).open(superblock);
    this.store = new StoreUpdater(environment, state, superblock);
    this.writes =
        new WritePath(
            state,
            environment.options().redacted(),
            environment.allocator(),
            store::freezeAtBoundary);
    holdStagedKeys();
    UniqueChecks checks = new UniqueChecks();
    this.reads = new ReadPath(environment, state, checks);
    this.maintenance = new TabletMaintenance(environment, state, store, checks, reads::statistics);
  }

  private void holdStagedKeys() throws IOException {
    try {
      writes.holdStagedKeys();
    } catch (IOException | RuntimeException e) {
      closeState();
      throw e;
    }
  }

  /** Durably creates an empty tablet in the environment's directory and opens it. */
  public static Tablet create(TabletEnvironment environment, TabletDescriptor descriptor)
      throws IOException {
    return new Tablet(environment, new TabletOpener(environment).create(descriptor));
  }

  /**
   * Opens the tablet in the environment's directory at its superblock. The caller replays the log
   * from {@link #checkpoint} on.
   */
  public static Tablet open(TabletEnvironment environment) throws IOException {
    return new Tablet(environment, new TabletOpener(environment).readSuperblock());
  }

  public TabletDescriptor descriptor() {
    return state.descriptor();
  }

  public Schema schema() {
    return descriptor().schema();
  }

  /** The last log position that the state on disk contains. */
  public LogPosition checkpoint() {
    return store.checkpoint();
  }

  /** The position of the last applied entry. */
  public LogPosition applied() {
    return state.applied();
  }

  /**
   * Applies the next entry. One thread calls this, in log order, with ascending timestamps. Returns
   * one result per request of a WRITE entry, and one result for an entry of another type. The
   * result of a request that was already applied comes from the request cache. The result of a
   * piece of a large request covers all pieces of that request applied so far. Readers see the
   * changes when this returns.
   */
  public List<RequestResult> apply(LogPosition position, LogEntry entry) {
    return writes.apply(position, entry);
  }

  /**
   * Advances the applied position over an entry that does not change the tablet (configuration, new
   * leader).
   */
  public void skipEntry(LogPosition position) {
    writes.skipEntry(position);
  }

  /**
   * The cached result of a request; null if the request is unknown, or if a piece of it is not
   * applied yet. Any thread may call this.
   */
  public @Nullable RequestResult cachedResult(RequestId id) {
    return state.requests().complete(id);
  }

  /** The snapshot of exactly the entries applied so far; READ_LATEST uses it. */
  public long latestSnapshot() {
    return state.latestSnapshot();
  }

  /**
   * The lowest timestamp of a row or change in memory; Long.MAX_VALUE if there is none, or if the
   * tablet is closed. A scan of a snapshot that is not above it reads files only. Rows that are
   * applied later have higher timestamps than everything that is applied now.
   */
  public long oldestInMemory() {
    return reads.oldestInMemory();
  }

  /** The highest applied timestamp, or 0. */
  public long maxTimestamp() {
    return state.maxTimestamp();
  }

  /** Opens a scan; the caller closes it. */
  public TabletScanner scan(ScanSpec spec) throws IOException {
    return reads.scan(spec);
  }

  /**
   * Computes counts, sums and other aggregates over a scan's rows, which is much cheaper than
   * fetching the rows. Ignores the scan's projection.
   */
  public List<AggregateRow> aggregate(ScanSpec spec, Aggregation aggregates) throws IOException {
    return reads.aggregate(spec, aggregates);
  }

  /**
   * Reads the next changes of the change feed.
   *
   * @param request ends at or below {@link #latestSnapshot}, and at a time below which no operation
   *     will be applied
   * @param out an empty batch with the projection of the request
   */
  public void readChanges(FeedRequest request, ChangeBatch out) throws IOException {
    reads.readChanges(request, out);
  }

  /**
   * Pins the current components; the caller releases them with {@link Components#unpin}. Used by
   * checks of the stored data.
   */
  public Components pinComponents() {
    return state.components().pin();
  }

  /**
   * Runs a comparison of the indexes on disk with the rows; takes long. The files stay until it has
   * ended, while writes, flushes and compactions go on.
   *
   * @param indexes the indexes to verify
   */
  public void verify(IndexVerification verification, List<IndexDefinition> indexes)
      throws IOException {
    reads.verify(verification, indexes);
  }

  /**
   * Splits a key range into consecutive pieces of about the given size, measured by the sizes of
   * the columns with the given ids, or of all columns if {@code columnIds} is empty. Returns the
   * inner split keys, encoded and ascending; an empty list if the range is a single piece.
   */
  public List<byte[]> splitKeys(
      byte @Nullable [] lowerKey, byte @Nullable [] upperKey, long targetBytes, int[] columnIds)
      throws IOException {
    return reads.splitKeys(lowerKey, upperKey, targetBytes, columnIds);
  }

  /**
   * Makes the current state durable by writing a checkpoint. Does nothing if no entry was applied
   * since the last checkpoint. One flush runs at a time, concurrent with apply and scans.
   *
   * @return the new {@link #checkpoint}
   */
  public LogPosition flush() throws IOException {
    return store.flush();
  }

  /**
   * Writes a checkpoint of the stores that the write path froze at the boundary of an epoch, and
   * leaves later rows and changes in memory. Without such stores, this is a {@link #flush}.
   *
   * @return the new {@link #checkpoint}
   */
  public LogPosition flushEpoch() throws IOException {
    return store.flushEpoch();
  }

  /** The epochs at whose boundaries the tablet freezes its stores. */
  public Epochs epochs() {
    return state.epochs();
  }

  /**
   * Pins the checkpoint on disk and keeps its files until the caller closes the result. Used by
   * tablet copies. Waits for a running flush or compaction.
   */
  public PinnedCheckpoint pinCheckpoint() {
    return store.pin();
  }

  /**
   * Totals of the rowsets and files that flushes and compactions wrote and replaced since the
   * tablet was opened.
   */
  public StoreWork storeWork() {
    return store.work();
  }

  /** The flushes and compactions of this tablet; the caller schedules them. */
  public TabletMaintenance maintenance() {
    return maintenance;
  }

  /** The transactions with rows in this tablet that have not ended. Any thread may call this. */
  public List<OpenTransaction> openTransactions() {
    return state.transactions().list();
  }

  /** The current sizes. Any thread may call this; no file is read. */
  public TabletStatistics statistics() {
    return reads.statistics();
  }

  /**
   * Closes the tablet without flushing. Waits for a running flush and for the entry being applied.
   * Open scans keep their pinned version until they close. A second close does nothing.
   */
  @Override
  public void close() {
    store.close();
    closeState();
  }

  private void closeState() {
    // The apply thread pins no components. The lock ensures that no entry is being applied when
    // memory is freed, and none is applied afterwards.
    state.writerLock().lock();
    try {
      try {
        writes.close();
      } finally {
        state.close();
      }
    } finally {
      state.writerLock().unlock();
    }
  }
}
