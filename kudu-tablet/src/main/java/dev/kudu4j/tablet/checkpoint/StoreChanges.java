package dev.kudu4j.tablet.checkpoint;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.kudu4j.tablet.apply.TabletState;
import dev.kudu4j.tablet.components.Components;
import dev.kudu4j.tablet.components.RowSetTree;
import dev.kudu4j.tablet.env.TabletEnvironment;
import dev.kudu4j.tablet.log.LogPosition;
import dev.kudu4j.tablet.proto.SuperblockPB;
import dev.kudu4j.tablet.superblock.SuperblockFile;
import dev.kudu4j.tablet.superblock.Superblocks;
import java.io.IOException;

/**
 * The owner of a tablet's superblock: whatever changes its files goes through here, one change at a
 * time, while apply and scans go on.
 *
 * <pre>
 *   pin | write, sync files | sync directory | superblock | carry over, swap (writer lock) | old files go with their readers
 * </pre>
 *
 * <p>Checkpoints make the state of a later log position durable. Compactions keep the position and
 * replace files by others that say the same; they find nothing frozen, since a checkpoint that
 * failed is finished before.
 */
public final class StoreChanges {
  private final TabletEnvironment environment;
  private final TabletState state;
  private final SuperblockFile superblockFile;
  private final ObsoleteFiles obsolete;

  @GuardedBy("this")
  private final NewFiles files;

  @GuardedBy("this")
  private SuperblockPB superblock;

  /** What is frozen and not written yet, or null. */
  @GuardedBy("this")
  private Freeze pending;

  private volatile LogPosition checkpoint;
  private volatile StoreWork work = StoreWork.NONE; // changed under this monitor

  /**
   * @param superblock the one the state was read from
   */
  public StoreChanges(TabletEnvironment environment, TabletState state, SuperblockPB superblock) {
    this.environment = environment;
    this.state = state;
    this.superblockFile = new SuperblockFile(environment.files(), environment.directory());
    this.obsolete = new ObsoleteFiles(environment, this::isBusy);
    this.superblock = superblock;
    this.files = new NewFiles(environment, superblock.getNextId());
    this.checkpoint = Superblocks.position(superblock);
  }

  /** The state on disk is the log up to and including this position. */
  public LogPosition checkpoint() {
    return checkpoint;
  }

  /** What all changes of the files have written and replaced so far. */
  public StoreWork work() {
    return work;
  }

  /**
   * Makes everything applied before the call durable. When a step fails, what was frozen stays
   * frozen and readable, and the next call writes it again, at the same boundary, before it freezes
   * anew.
   */
  public synchronized LogPosition flush() throws IOException {
    finishPending();
    pending = freeze();
    finishPending();
    return checkpoint;
  }

  /**
   * Makes one change of the files; the state stays that of the log position.
   *
   * @return false when the plan found nothing to do
   */
  public synchronized boolean run(StoreChange.Plan plan) throws IOException {
    finishPending();
    Components now = state.components().pin();
    try (StoreChange change = plan.of(now, superblock)) {
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
   * The checkpoint of now; its files stay until the caller closes it. Waits for a change that is
   * under way.
   */
  public synchronized PinnedCheckpoint pin() {
    Components now = state.components().pin();
    try {
      return PinnedCheckpoint.of(superblock, now);
    } finally {
      now.unpin();
    }
  }

  /** Sets the stores aside; null when nothing was applied since the last checkpoint. */
  private Freeze freeze() {
    state.writerLock().lock();
    try {
      state.checkHealthy();
      return state.applied().equals(checkpoint) ? null : Freeze.take(state, environment);
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
    pending.components().unpin();
    pending = null;
    obsolete.remove();
  }

  @GuardedBy("this")
  private void commit(StoreChange change) throws IOException {
    writeFiles(change);
    SuperblockPB.Builder message = superblock.toBuilder();
    change.describe(message);
    if (!message.hasLineage()) {
      message.setLineage(environment.random().nextLong());
    }
    SuperblockPB next = message.setNextId(files.nextId()).build();
    environment.crashPoints().reach(CheckpointSteps.BEFORE_SUPERBLOCK);
    files.mayBeNamed();
    superblockFile.write(next);
    environment.crashPoints().reach(CheckpointSteps.BEFORE_SWAP);
    StoreWork done = swap(change, next);
    superblock = next;
    checkpoint = Superblocks.position(next);
    work = work.plus(done);
    obsolete.add(files.losers(Superblocks.fileNames(next)));
    environment.crashPoints().reach(CheckpointSteps.AFTER_SWAP);
  }

  @GuardedBy("this")
  private void writeFiles(StoreChange change) throws IOException {
    try {
      environment.crashPoints().reach(CheckpointSteps.BEFORE_FILES);
      change.writeFiles(files);
      if (!files.isEmpty()) {
        environment.crashPoints().reach(CheckpointSteps.BEFORE_DIRECTORY_SYNC);
        environment.files().syncDirectory(environment.directory());
      }
    } catch (IOException | RuntimeException e) {
      files.removeAfter(e);
      throw e;
    }
  }

  /**
   * Nothing can fail any more once the old files have been given up.
   *
   * @return what has changed
   */
  private StoreWork swap(StoreChange change, SuperblockPB next) throws IOException {
    while (change.carryOver()) {
      // until few changes are left: those are moved while the writer waits
      environment.crashPoints().reach(CheckpointSteps.DURING_CARRY_OVER);
    }
    Components before;
    RowSetTree after;
    state.writerLock().lock();
    try {
      before = state.components().get();
      after = new RowSetTree(change.rowSets(before.rowSets()));
      obsolete.giveUp(before.rowSets(), after.rowSets());
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

  /** Gives back what an unfinished checkpoint holds, after a change that is under way. */
  public synchronized void close() {
    if (pending != null) {
      pending.components().unpin();
      pending = null;
    }
  }
}
