package dev.kudu4j.tablet.apply;

import dev.kudu4j.common.schema.Schema;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.common.status.StatusCode;
import dev.kudu4j.tablet.TabletDescriptor;
import dev.kudu4j.tablet.components.CurrentComponents;
import dev.kudu4j.tablet.log.LogPosition;
import dev.kudu4j.tablet.requestcache.RequestCache;
import java.util.concurrent.locks.ReentrantLock;

/**
 * What a tablet is after the entry applied last. Changed only under the writer lock, which apply
 * holds for one entry and a checkpoint while it freezes and while it swaps; what readers ask for is
 * volatile.
 */
public final class AppliedState {
  private final ReentrantLock writerLock = new ReentrantLock();
  private final CurrentComponents components;
  private final RequestCache requests;
  private final int maxCellBytes;
  private final int maxKeyBytes;

  private volatile TabletDescriptor descriptor;
  private volatile LogPosition applied;
  private volatile long maxTimestamp;
  private volatile long latestSnapshot;
  private volatile long liveRows;

  // Guarded by the writer lock:
  private long autoIncrementCounter;

  /** Collects changes of the frozen MemRowSet; null when none is frozen. */
  private MissedMutations frozenChanges;

  /** Collects changes of rowsets that are being replaced; null when none is. */
  private MissedDeltas rowSetChanges;

  /** Why nothing can be applied any more; null as long as all is well. */
  private RuntimeException failure;

  private boolean closed;

  /** Takes the components. */
  public AppliedState(
      CurrentComponents components,
      RequestCache requests,
      TabletDescriptor descriptor,
      LogPosition applied,
      long maxTimestamp,
      long autoIncrementCounter,
      int maxCellBytes,
      int maxKeyBytes) {
    this.components = components;
    this.requests = requests;
    this.descriptor = descriptor;
    this.applied = applied;
    this.maxTimestamp = maxTimestamp;
    this.latestSnapshot = maxTimestamp + 1;
    this.autoIncrementCounter = autoIncrementCounter;
    this.maxCellBytes = maxCellBytes;
    this.maxKeyBytes = maxKeyBytes;
    components.get().rowSets().forEach(rowSet -> this.liveRows += rowSet.liveRowCount());
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

  public TabletDescriptor descriptor() {
    return descriptor;
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

  /** From now on, changes of the frozen MemRowSet are collected there; null ends it. */
  public void collectFrozenChanges(MissedMutations changes) {
    assertLocked();
    frozenChanges = changes;
  }

  MissedMutations frozenChanges() {
    assertLocked();
    return frozenChanges;
  }

  /** From now on, changes of rows of its rowsets are collected there; null ends it. */
  public void collectRowSetChanges(MissedDeltas changes) {
    assertLocked();
    rowSetChanges = changes;
  }

  MissedDeltas rowSetChanges() {
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
  }

  /** Everything of that timestamp is applied: readers may see it. */
  void publish(long timestamp) {
    assertLocked();
    maxTimestamp = timestamp;
    latestSnapshot = timestamp + 1;
  }

  void appliedUpTo(LogPosition position) {
    assertLocked();
    applied = position;
  }

  /** Remembers that an entry was applied in part: the state is not that of any log position. */
  void fail(RuntimeException cause) {
    assertLocked();
    failure = cause;
  }

  /** Throws when an earlier entry failed in the middle, or the tablet is closed. */
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
              + " could not finish an entry of its log ("
              + failure.getMessage()
              + "); open it again",
          failure);
    }
  }

  /** Gives back stores and answers. Nothing is applied any more. */
  public void close() {
    assertLocked();
    if (closed) {
      return;
    }
    closed = true;
    requests.close();
    components.close();
  }

  private void assertLocked() {
    assert writerLock.isHeldByCurrentThread() : "The writer lock is not held";
  }
}
