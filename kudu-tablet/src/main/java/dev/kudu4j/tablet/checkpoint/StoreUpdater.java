package dev.kudu4j.tablet.checkpoint;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.tablet.apply.AppliedState;
import dev.kudu4j.tablet.components.Components;
import dev.kudu4j.tablet.components.RowSetTree;
import dev.kudu4j.tablet.env.TabletEnvironment;
import dev.kudu4j.tablet.file.StoredFile;
import dev.kudu4j.tablet.log.LogPosition;
import dev.kudu4j.tablet.proto.SuperblockPB;
import dev.kudu4j.tablet.superblock.SuperblockFile;
import dev.kudu4j.tablet.superblock.SuperblockMessages;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * The owner of a tablet's superblock. It runs all updates of the tablet's files, one at a time,
 * concurrent with apply and scans.
 *
 * <pre>
 *   pin | write, sync files | sync directory | superblock | carry over, swap (writer lock)
 *       | remove each old file after its last reader
 * </pre>
 *
 * <p>A checkpoint makes the state of a later log position durable. A compaction keeps the position
 * and replaces files with equivalent ones. A compaction never finds frozen stores, because a failed
 * checkpoint is completed first, and none are frozen while an update runs.
 */
public final class StoreUpdater {
  private final TabletEnvironment environment;
  private final AppliedState state;
  private final SuperblockFile superblockFile;
  private final ObsoleteFiles obsolete;
  private final BoundaryFreeze boundaryFreeze;

  @GuardedBy("this")
  private final NewFiles files;

  @GuardedBy("this")
  private SuperblockPB superblock;

  /** The frozen stores of a failed checkpoint, or those of the running update; else null. */
  @GuardedBy("this")
  private @Nullable FrozenState pending;

  @GuardedBy("this")
  private boolean closed;

  private volatile LogPosition checkpoint;
  private volatile StoreWork work = StoreWork.NONE; // changed under the monitor of this object

  /**
   * @param superblock the superblock that the state was read from
   */
  public StoreUpdater(TabletEnvironment environment, AppliedState state, SuperblockPB superblock) {
    this.environment = environment;
    this.state = state;
    this.superblockFile = new SuperblockFile(environment.files(), environment.directory());
    this.obsolete = new ObsoleteFiles(environment, this::isBusy);
    this.boundaryFreeze = new BoundaryFreeze(environment, state);
    this.superblock = superblock;
    this.files = new NewFiles(environment, superblock.getNextId());
    this.checkpoint = SuperblockMessages.position(superblock);
  }

  /** The last log position that the state on disk contains. */
  public LogPosition checkpoint() {
    return checkpoint;
  }

  /** Totals of the rowsets and files that all updates have written and replaced so far. */
  public StoreWork work() {
    return work;
  }

  /**
   * Makes everything applied before the call durable. After a failure the frozen stores stay frozen
   * and readable; the next call writes them again, at the same boundary, before it freezes the
   * current stores.
   */
  public synchronized LogPosition flush() throws IOException {
    beginUpdate();
    try {
      finishPending();
      pending = freeze();
      finishPending();
      return checkpoint;
    } finally {
      endUpdate();
    }
  }

  /**
   * Makes the stores durable that {@link #freezeAtBoundary} froze, and nothing later; without such
   * stores, everything applied before the call.
   */
  public synchronized LogPosition flushEpoch() throws IOException {
    beginUpdate();
    try {
      if (pending == null) {
        pending = freeze();
      }
      finishPending();
      return checkpoint;
    } finally {
      endUpdate();
    }
  }

  /**
   * Freezes the stores at the boundary of an epoch, for the next update to write them; see {@link
   * BoundaryFreeze}. The writer calls this between two entries, under the writer lock.
   */
  public void freezeAtBoundary() {
    boundaryFreeze.freeze();
  }

  /**
   * @throws KuduException ILLEGAL_STATE after {@link #close}: frozen stores were released, and a
   *     checkpoint without them would lose their rows
   */
  @GuardedBy("this")
  private void beginUpdate() {
    if (closed) {
      throw KuduException.illegalState("Tablet %s is closed", state.descriptor().tabletId());
    }
    FrozenState frozen = boundaryFreeze.begin();
    if (frozen != null) {
      if (pending != null) {
        throw new IllegalStateException("Stores were frozen while a checkpoint was unfinished");
      }
      pending = frozen;
    }
  }

  @GuardedBy("this")
  private void endUpdate() {
    boundaryFreeze.end(pending != null);
  }

  /**
   * Runs one update of the files without changing the log position.
   *
   * @return false if the plan found nothing to do
   */
  public synchronized boolean run(StoreUpdate.Plan plan) throws IOException {
    beginUpdate();
    try {
      finishPending();
      return runPlan(plan);
    } finally {
      endUpdate();
    }
  }

  @GuardedBy("this")
  private boolean runPlan(StoreUpdate.Plan plan) throws IOException {
    Components now = state.components().pin();
    try (StoreUpdate change = plan.of(now, superblock)) {
      if (change == null) {
        return false;
      }
      commit(change);
      return true;
    } finally {
      now.unpin();
      obsolete.remove();
    }
  }

  /**
   * Pins the current checkpoint: its files are kept until the caller closes the result. Waits for a
   * running update.
   */
  public synchronized PinnedCheckpoint pin() {
    Components now = state.components().pin();
    try {
      return PinnedCheckpoint.of(superblock, now, state.transactions().files());
    } finally {
      now.unpin();
    }
  }

  /** Freezes the stores; null if nothing was applied since the last checkpoint. */
  private @Nullable FrozenState freeze() {
    state.writerLock().lock();
    try {
      state.checkHealthy();
      return state.applied().equals(checkpoint) ? null : FrozenState.take(state, environment);
    } finally {
      state.writerLock().unlock();
    }
  }

  @GuardedBy("this")
  private void finishPending() throws IOException {
    if (pending == null) {
      return;
    }
    try (Checkpoint change = new Checkpoint(environment, state, pending)) {
      commit(change);
    }
    pending.release();
    pending = null;
    obsolete.remove();
  }

  @GuardedBy("this")
  private void commit(StoreUpdate change) throws IOException {
    writeFiles(change);
    SuperblockPB.Builder message = superblock.toBuilder();
    change.describe(message);
    if (!message.hasLineage()) {
      message.setLineage(environment.random().nextLong());
    }
    SuperblockPB next = message.setNextId(files.nextId()).build();
    environment.crashPoints().reach(CheckpointCrashPoints.BEFORE_SUPERBLOCK);
    files.beforeSuperblockWrite();
    superblockFile.write(next);
    environment.crashPoints().reach(CheckpointCrashPoints.BEFORE_SWAP);
    StoreWork done = swap(change, next);
    superblock = next;
    checkpoint = SuperblockMessages.position(next);
    work = work.plus(done);
    obsolete.add(files.unreferencedFiles(SuperblockMessages.fileNames(next)));
    environment.crashPoints().reach(CheckpointCrashPoints.AFTER_SWAP);
  }

  @GuardedBy("this")
  private void writeFiles(StoreUpdate change) throws IOException {
    try {
      environment.crashPoints().reach(CheckpointCrashPoints.BEFORE_FILES);
      change.writeFiles(files);
      if (!files.isEmpty()) {
        environment.crashPoints().reach(CheckpointCrashPoints.BEFORE_DIRECTORY_SYNC);
        environment.files().syncDirectory(environment.directory());
      }
    } catch (IOException | RuntimeException e) {
      files.removeAfter(e);
      throw e;
    }
  }

  /**
   * Makes the new rowsets the tablet's current version. Nothing can fail after {@code
   * obsolete.removeWhenReleased}.
   *
   * @return the rowsets and files written and replaced
   */
  private StoreWork swap(StoreUpdate change, SuperblockPB next) throws IOException {
    while (change.carryOver()) {
      // Repeat until few changes are left; change.finishAndListRowSets moves them while the writer
      // is blocked.
      environment.crashPoints().reach(CheckpointCrashPoints.DURING_CARRY_OVER);
    }
    Components before;
    RowSetTree after;
    state.writerLock().lock();
    try {
      before = state.components().get();
      after = new RowSetTree(change.finishAndListRowSets(before.rowSets()));
      obsolete.removeWhenReleased(before.rowSets(), after.rowSets());
      for (StoredFile staged : state.transactions().forgetFilesExcept(next.getStagedFilesList())) {
        obsolete.removeWhenReleased(staged);
        staged.release();
      }
      state.collectFrozenChanges(null);
      state
          .components()
          .swap(
              new Components(
                  before.schema(), before.activePart(), null, after, next.getAncientHistoryMark()));
    } finally {
      state.writerLock().unlock();
    }
    return StoreWork.between(before.rowSets(), after.rowSets());
  }

  private boolean isBusy() {
    return Thread.holdsLock(this) || state.writerLock().isHeldByCurrentThread();
  }

  /** Releases what frozen stores hold, and freezes none again. Waits for a running update. */
  public synchronized void close() {
    if (closed) {
      return;
    }
    beginUpdate();
    closed = true;
    if (pending != null) {
      pending.release();
      pending = null;
    }
  }
}
