package dev.kudu4j.tablet;

import dev.kudu4j.common.schema.Schema;
import dev.kudu4j.tablet.apply.TabletState;
import dev.kudu4j.tablet.apply.WritePath;
import dev.kudu4j.tablet.checkpoint.PinnedCheckpoint;
import dev.kudu4j.tablet.checkpoint.StoreChanges;
import dev.kudu4j.tablet.checkpoint.StoreWork;
import dev.kudu4j.tablet.checkpoint.TabletStore;
import dev.kudu4j.tablet.components.Components;
import dev.kudu4j.tablet.env.TabletEnvironment;
import dev.kudu4j.tablet.log.LogEntry;
import dev.kudu4j.tablet.log.LogPosition;
import dev.kudu4j.tablet.log.RequestId;
import dev.kudu4j.tablet.log.RequestResult;
import dev.kudu4j.tablet.maintenance.TabletMaintenance;
import dev.kudu4j.tablet.proto.SuperblockPB;
import dev.kudu4j.tablet.scan.ScanSpec;
import dev.kudu4j.tablet.scan.TabletScanner;
import dev.kudu4j.tablet.scan.aggregate.AggregateRow;
import dev.kudu4j.tablet.scan.aggregate.AggregateSpec;
import java.io.IOException;
import java.util.List;

/**
 * One tablet's state: a pure function of the log applied to it.
 *
 * <p>One thread applies, in log order; any number scan; one checkpoints. A snapshot T holds exactly
 * the operations with timestamp &lt; T. The door only: write path ({@link WritePath}), read path
 * ({@link TabletReads}) and checkpoint ({@link StoreChanges}) have classes of their own.
 */
public final class Tablet implements AutoCloseable {
  private final TabletState state;
  private final WritePath writes;
  private final TabletReads reads;
  private final StoreChanges store;
  private final TabletMaintenance maintenance;

  private Tablet(TabletEnvironment environment, SuperblockPB superblock) throws IOException {
    this.state = new TabletStore(environment).open(superblock);
    this.writes = new WritePath(state, environment.options().redacted());
    this.reads = new TabletReads(environment, state);
    this.store = new StoreChanges(environment, state, superblock);
    this.maintenance = new TabletMaintenance(environment, state, store, reads::statistics);
  }

  /** Makes a new, empty tablet durable in the environment's directory and opens it. */
  public static Tablet create(TabletEnvironment environment, TabletDescriptor descriptor)
      throws IOException {
    return new Tablet(environment, new TabletStore(environment).create(descriptor));
  }

  /**
   * Opens the tablet of the environment's directory as its superblock says; the log is to be
   * replayed from {@link #checkpoint} on.
   */
  public static Tablet open(TabletEnvironment environment) throws IOException {
    return new Tablet(environment, new TabletStore(environment).readSuperblock());
  }

  public TabletDescriptor descriptor() {
    return state.descriptor();
  }

  public Schema schema() {
    return descriptor().schema();
  }

  /** The state on disk is the log up to and including this position. */
  public LogPosition checkpoint() {
    return store.checkpoint();
  }

  /** The position applied last. */
  public LogPosition applied() {
    return state.applied();
  }

  /**
   * Applies the next entry; one thread, in log order, timestamps rising. The answers are one per
   * request of a WRITE (the remembered one for a request that was applied before; that of the
   * pieces so far for a piece), one for other types. Visible to readers when this returns.
   */
  public List<RequestResult> apply(LogPosition position, LogEntry entry) {
    return writes.apply(position, entry);
  }

  /**
   * Moves the applied position over an entry that changes nothing here (configuration, new leader).
   */
  public void applyNothing(LogPosition position) {
    writes.applyNothing(position);
  }

  /**
   * The remembered answer of a request, complete with all its pieces; null when it is not known.
   * Any thread.
   */
  public RequestResult remembered(RequestId id) {
    return state.requests().complete(id);
  }

  /** A snapshot that sees everything applied so far and nothing more: what READ_LATEST reads at. */
  public long latestSnapshot() {
    return state.latestSnapshot();
  }

  /** Highest timestamp applied, or 0. */
  public long maxTimestamp() {
    return state.maxTimestamp();
  }

  /** Opens a scan; the caller closes it. */
  public TabletScanner scan(ScanSpec spec) throws IOException {
    return reads.scan(spec);
  }

  /**
   * Computes counts, sums and their like of a scan's rows, whose projection does not count: much
   * cheaper than fetching the rows.
   */
  public List<AggregateRow> aggregate(ScanSpec spec, AggregateSpec aggregates) throws IOException {
    return reads.aggregate(spec, aggregates);
  }

  /**
   * The parts of now, pinned for the caller, who gives them back with {@link Components#unpin}: for
   * checks.
   */
  public Components pinComponents() {
    return state.components().pin();
  }

  /**
   * Cuts a key range into consecutive pieces of about the given size by the sizes of the columns
   * (ids; empty: all). Returns the inner borders, ascending encoded keys; none when there is a
   * single piece.
   */
  public List<byte[]> splitKeys(byte[] lowerKey, byte[] upperKey, long targetBytes, int[] columnIds)
      throws IOException {
    return reads.splitKeys(lowerKey, upperKey, targetBytes, columnIds);
  }

  /**
   * Makes the state up to the position applied now durable: "a flush is a checkpoint". Does nothing
   * when nothing was applied since the last. One at a time; applying and scanning go on meanwhile.
   *
   * @return the new {@link #checkpoint}
   */
  public LogPosition flush() throws IOException {
    return store.flush();
  }

  /**
   * The checkpoint on disk and its files, which stay until the caller closes it: for a copy. Waits
   * for a flush or compaction that is under way.
   */
  public PinnedCheckpoint pinCheckpoint() {
    return store.pin();
  }

  /** What flushes and compactions have written and replaced since the tablet was opened. */
  public StoreWork storeWork() {
    return store.work();
  }

  /** What keeps the tablet fast and small; the caller schedules it. */
  public TabletMaintenance maintenance() {
    return maintenance;
  }

  /** Any thread, cheap. */
  public TabletStatistics statistics() {
    return reads.statistics();
  }

  /**
   * Closes without flushing, after a flush and an entry that are under way; scans that are open
   * keep what they pinned until they close. A second close does nothing.
   */
  @Override
  public void close() {
    store.close();
    // Who applies has no pin: memory may not go while an entry is applied, nor one be applied
    // after.
    state.writerLock().lock();
    try {
      state.close();
    } finally {
      state.writerLock().unlock();
    }
  }
}
