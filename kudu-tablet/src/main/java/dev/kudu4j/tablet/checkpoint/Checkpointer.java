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
 * Makes the state of a log position durable, one checkpoint at a time, while apply and scans go on.
 *
 * <ol>
 *   <li>Freeze, under the writer lock: all stores with content are set aside at one boundary N.
 *   <li>Write and sync the files, then the directory. Changes of frozen rows are collected.
 *   <li>Replace the superblock: from here on the tablet opens at N.
 *   <li>Swap, under the writer lock: collected changes are carried over, the tree with the new
 *       files becomes current.
 * </ol>
 *
 * <p>When a step fails, what was frozen stays frozen and readable, and the next call writes it
 * again, at the same boundary, before it freezes anew.
 */
public final class Checkpointer {
  /** More collected changes than this are carried over before the writer is stopped. */
  private static final int FEW_CHANGES = 256;

  private static final int MOST_ROUNDS = 16;

  private final TabletEnvironment environment;
  private final TabletState state;
  private final SuperblockFile superblockFile;

  @GuardedBy("this")
  private final NewFiles files;

  @GuardedBy("this")
  private SuperblockPB superblock;

  /** What is frozen and not written yet, or null. */
  @GuardedBy("this")
  private Freeze pending;

  private volatile LogPosition checkpoint;

  /**
   * @param superblock the one the state was read from
   */
  public Checkpointer(TabletEnvironment environment, TabletState state, SuperblockPB superblock) {
    this.environment = environment;
    this.state = state;
    this.superblockFile = new SuperblockFile(environment.files(), environment.directory());
    this.superblock = superblock;
    this.files = new NewFiles(environment, superblock.getNextId());
    this.checkpoint = Superblocks.position(superblock);
  }

  /** The state on disk is the log up to and including this position. */
  public LogPosition checkpoint() {
    return checkpoint;
  }

  /** Makes everything applied before the call durable. */
  public synchronized LogPosition run() throws IOException {
    if (pending != null) {
      writePending();
    }
    pending = freeze();
    if (pending != null) {
      writePending();
    }
    return checkpoint;
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
  private void writePending() throws IOException {
    try (CheckpointAttempt attempt = new CheckpointAttempt(environment, files, pending)) {
      writeFiles(attempt);
      SuperblockPB next = attempt.superblock(superblock);
      environment.crashPoints().reach(CheckpointSteps.BEFORE_SUPERBLOCK);
      files.keep();
      superblockFile.write(next);
      environment.crashPoints().reach(CheckpointSteps.BEFORE_SWAP);
      swap(attempt);
      superblock = next;
      checkpoint = pending.position();
    }
    pending.components().unpin();
    pending = null;
    environment.crashPoints().reach(CheckpointSteps.AFTER_SWAP);
  }

  @GuardedBy("this")
  private void writeFiles(CheckpointAttempt attempt) throws IOException {
    try {
      attempt.writeFiles();
    } catch (IOException | RuntimeException e) {
      files.removeAfter(e);
      throw e;
    }
  }

  @GuardedBy("this")
  private void swap(CheckpointAttempt attempt) throws IOException {
    CarryOver carryOver = new CarryOver(new RowSetTree(attempt.newRowSets()));
    for (int round = 0; round < MOST_ROUNDS && moveIfMany(carryOver); round++) {
      // Until few are left: those are moved while the writer waits.
    }
    state.writerLock().lock();
    try {
      carryOver.move(pending.changes().from(carryOver.moved()));
      state.collectFrozenChanges(null);
      Components now = state.components().get();
      state
          .components()
          .swap(
              new Components(
                  now.schema(), now.activePart(), null, attempt.treeAfter(now.rowSets())));
    } finally {
      state.writerLock().unlock();
    }
  }

  /** Moves what has been collected so far, if it is much; the writer goes on. */
  @GuardedBy("this")
  private boolean moveIfMany(CarryOver carryOver) throws IOException {
    long[] changes;
    state.writerLock().lock();
    try {
      if (pending.changes().count() - carryOver.moved() <= FEW_CHANGES) {
        return false;
      }
      changes = pending.changes().from(carryOver.moved());
    } finally {
      state.writerLock().unlock();
    }
    carryOver.move(changes);
    return true;
  }

  /** Gives back what an unfinished checkpoint holds. */
  public synchronized void close() {
    if (pending != null) {
      pending.components().unpin();
      pending = null;
    }
  }
}
