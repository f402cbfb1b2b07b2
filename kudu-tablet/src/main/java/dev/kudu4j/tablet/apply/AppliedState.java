package dev.kudu4j.tablet.apply;

import dev.kudu4j.common.index.IndexDefinition;
import dev.kudu4j.common.schema.Schema;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.common.status.StatusCode;
import dev.kudu4j.common.time.Epochs;
import dev.kudu4j.tablet.TabletDescriptor;
import dev.kudu4j.tablet.components.CurrentComponents;
import dev.kudu4j.tablet.log.LogPosition;
import dev.kudu4j.tablet.requestcache.RequestCache;
import dev.kudu4j.tablet.transaction.OpenTransactions;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The state of a tablet after the last applied log entry. It changes only under the writer lock.
 * The apply thread holds the lock while it applies one entry; a checkpoint holds it while it
 * freezes the stores and while it swaps the components. Fields that readers use are volatile.
 */
public final class AppliedState {
  private final ReentrantLock writerLock = new ReentrantLock();
  private final CurrentComponents components;
  private final RequestCache requests;
  private final OpenTransactions transactions;
  private final int maxCellBytes;
  private final int maxKeyBytes;
  private final boolean derived;

  private volatile TabletDescriptor descriptor;
  private volatile Set<Integer> indexIds;
  private volatile Epochs epochs;
  private volatile LogPosition applied;
  private volatile long maxTimestamp;
  private volatile long latestSnapshot;
  private volatile long liveRows;

  // Guarded by the writer lock:
  private long autoIncrementCounter;

  /** Collects changes of the frozen MemRowSet; null if no MemRowSet is frozen. */
  private @Nullable MissedMutations frozenChanges;

  /** Collects changes of rowsets that are being replaced; null if no rowset is being replaced. */
  private @Nullable MissedDeltas rowSetChanges;

  /** The reason why no entry can be applied any more; null while the tablet is healthy. */
  private @Nullable RuntimeException failure;

  private boolean closed;

  /** Takes ownership of the components and the transactions. */
  public AppliedState(
      CurrentComponents components,
      RequestCache requests,
      OpenTransactions transactions,
      TabletDescriptor descriptor,
      LogPosition applied,
      long maxTimestamp,
      long autoIncrementCounter,
      int maxCellBytes,
      int maxKeyBytes) {
    this.components = components;
    this.requests = requests;
    this.transactions = transactions;
    this.descriptor = descriptor;
    this.derived = descriptor.isDerived();
    this.indexIds = idsOf(descriptor);
    this.epochs = descriptor.epochs();
    this.applied = applied;
    this.maxTimestamp = maxTimestamp;
    this.latestSnapshot = snapshotAfter(maxTimestamp);
    this.autoIncrementCounter = autoIncrementCounter;
    this.maxCellBytes = maxCellBytes;
    this.maxKeyBytes = maxKeyBytes;
    this.liveRows =
        components.get().rowSets().stream().mapToLong(rowSet -> rowSet.liveRowCount()).sum();
  }

  public ReentrantLock writerLock() {
    return writerLock;
  }

  public CurrentComponents components() {
    return components;
  }

  public RequestCache requests() {
    return requests;
  }

  public OpenTransactions transactions() {
    return transactions;
  }

  public TabletDescriptor descriptor() {
    return descriptor;
  }

  private static Set<Integer> idsOf(TabletDescriptor descriptor) {
    return descriptor.indexes().stream()
        .map(IndexDefinition::id)
        .collect(Collectors.toUnmodifiableSet());
  }

  /** Whether this is a derived tablet. */
  boolean isDerived() {
    return derived;
  }

  /** The ids of the tablet's indexes. */
  public Set<Integer> indexIds() {
    return indexIds;
  }

  /** The epochs at whose boundaries the stores are frozen. */
  public Epochs epochs() {
    return epochs;
  }

  public Schema schema() {
    return descriptor.schema();
  }

  public LogPosition applied() {
    return applied;
  }

  public long maxTimestamp() {
    return maxTimestamp;
  }

  public long latestSnapshot() {
    return latestSnapshot;
  }

  public long liveRows() {
    return liveRows;
  }

  public int maxCellBytes() {
    return maxCellBytes;
  }

  public int maxKeyBytes() {
    return maxKeyBytes;
  }

  public long autoIncrementCounter() {
    assertLocked();
    return autoIncrementCounter;
  }

  /**
   * From now on, changes of the frozen MemRowSet are added to {@code changes}; null ends the
   * collection.
   */
  public void collectFrozenChanges(@Nullable MissedMutations changes) {
    assertLocked();
    frozenChanges = changes;
  }

  @Nullable MissedMutations frozenChanges() {
    assertLocked();
    return frozenChanges;
  }

  /**
   * From now on, changes of the rowsets that are being replaced are added to {@code changes}; null
   * ends the collection.
   */
  public void collectRowSetChanges(@Nullable MissedDeltas changes) {
    assertLocked();
    rowSetChanges = changes;
  }

  @Nullable MissedDeltas rowSetChanges() {
    assertLocked();
    return rowSetChanges;
  }

  void raiseAutoIncrement(long number) {
    assertLocked();
    autoIncrementCounter = Math.max(autoIncrementCounter, number);
  }

  @SuppressWarnings("NonAtomicVolatileUpdate") // under the writer lock
  void addLiveRows(int more) {
    assertLocked();
    liveRows += more;
  }

  void describe(TabletDescriptor changed) {
    assertLocked();
    descriptor = changed;
    indexIds = idsOf(changed);
    epochs = changed.epochs();
  }

  /** Makes the fully applied operation with the timestamp visible to readers. */
  void publish(long timestamp) {
    assertLocked();
    maxTimestamp = timestamp;
    latestSnapshot = snapshotAfter(timestamp);
  }

  /** The snapshot of everything up to a timestamp; of a derived tablet, of what is complete. */
  private long snapshotAfter(long timestamp) {
    return derived ? descriptor.feedMark().complete() : timestamp + 1;
  }

  void appliedUpTo(LogPosition position) {
    assertLocked();
    applied = position;
  }

  /** Records that an entry was applied only in part, so the state matches no log position. */
  void fail(RuntimeException cause) {
    assertLocked();
    failure = cause;
  }

  /** Throws if an earlier entry failed halfway, or if the tablet is closed. */
  public void checkHealthy() {
    assertLocked();
    if (closed) {
      throw KuduException.illegalState(
          "Tablet %s is closed; open it again to use it", descriptor.tabletId());
    }
    if (failure != null) {
      throw new KuduException(
          StatusCode.IO_ERROR,
          "Tablet "
              + descriptor.tabletId()
              + " failed to apply a log entry completely ("
              + failure.getMessage()
              + "); open it again",
          failure);
    }
  }

  /**
   * Releases the tablet's components and the cached results. No entry can be applied afterwards.
   */
  public void close() {
    assertLocked();
    if (closed) {
      return;
    }
    closed = true;
    requests.close();
    transactions.close();
    components.close();
  }

  private void assertLocked() {
    assert writerLock.isHeldByCurrentThread() : "The writer lock must be held";
  }
}
