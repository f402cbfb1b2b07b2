package org.apache.ratis.server.impl;

import dev.kudu4j.server.raft.threads.RaftThreads;
import dev.kudu4j.server.raft.threads.SerialTask;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongConsumer;
import org.apache.ratis.proto.RaftProtos.LogEntryProto;
import org.apache.ratis.protocol.Message;
import org.apache.ratis.server.raftlog.RaftLog;
import org.apache.ratis.statemachine.SnapshotInfo;
import org.apache.ratis.statemachine.StateMachine;
import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Applies the committed entries of a group on the shared threads. It takes no snapshots: a flush of
 * the tablet takes their place.
 */
@NullMarked
final class PooledUpdater extends StateMachineUpdater {
  private static final Logger LOG = LoggerFactory.getLogger(PooledUpdater.class);

  private final StateMachine machine;
  private final RaftServerImpl server;
  private final RaftLog log;
  private final LongConsumer appliedListener;
  private final RaftThreads threads;
  private final SerialTask applying;
  private final AtomicReference<@Nullable Long> stopIndex = new AtomicReference<>();
  private final CompletableFuture<Void> stopped = new CompletableFuture<>();
  private volatile State state = State.RUNNING;

  // Accessed only by runs of the task.
  private long applied;
  private CompletableFuture<Void> unfinished = CompletableFuture.completedFuture(null);

  PooledUpdater(
      StateMachine machine, RaftServerImpl server, ServerState members, RaftThreads threads) {
    super(
        machine,
        server,
        members,
        members.getLog().getSnapshotIndex(),
        server.getRaftServer().getProperties(),
        members.getReadRequests().getAppliedIndexConsumer());
    this.machine = machine;
    this.server = server;
    this.log = members.getLog();
    this.appliedListener = members.getReadRequests().getAppliedIndexConsumer();
    this.threads = threads;
    this.applied = log.getSnapshotIndex();
    this.applying = threads.task(this, this::apply);
  }

  @Override
  void start() {
    appliedListener.accept(applied);
    applying.signal();
  }

  @Override
  void notifyUpdater() {
    applying.signalNext();
  }

  @Override
  void reloadStateMachine() {
    state = State.RELOAD;
    applying.signal();
  }

  /** Returns once all entries that are committed now are applied, or applying has failed. */
  @Override
  void stopAndJoin() throws InterruptedException {
    if (state == State.EXCEPTION) {
      end();
      return;
    }
    stopIndex.compareAndSet(null, log.getLastCommittedIndex());
    applying.signal();
    threads.passOn(); // the updater may be next on this thread
    try {
      stopped.get();
    } catch (ExecutionException e) {
      throw new AssertionError("The future never fails", e);
    }
  }

  @Override
  public void run() {
    throw new UnsupportedOperationException("The shared threads apply");
  }

  private void apply() {
    if (state == State.STOP || state == State.EXCEPTION) {
      return;
    }
    try {
      if (state == State.RELOAD) {
        reload();
      }
      applyCommitted();
      if (mustStop()) {
        unfinished.get();
        end();
      }
    } catch (Throwable e) {
      state = State.EXCEPTION;
      LOG.error("{} failed after entry {}; the group is closed", this, applied, e);
      machine.event().notifyLogFailed(e, null); // the replica has failed, not just its group
      server.close();
      stopped.complete(null);
    }
  }

  private void applyCommitted() throws IOException {
    long committed = log.getLastCommittedIndex();
    while (applied < committed && state == State.RUNNING && !mustStop()) {
      threads.passOn(); // applying may wait for memory
      LogEntryProto entry = log.get(applied + 1);
      if (entry == null) { // the checkpoint of another member is being copied
        return;
      }
      CompletableFuture<Message> result = server.applyLogToStateMachine(entry);
      applied++;
      note(result, applied);
      if (applied == committed) {
        committed = log.getLastCommittedIndex();
      }
    }
  }

  private void note(@Nullable CompletableFuture<Message> result, long index) {
    if (result == null) {
      appliedListener.accept(index);
      return;
    }
    if (!result.isDone()) {
      unfinished = CompletableFuture.allOf(unfinished, result.exceptionally(e -> null));
    }
    result.whenComplete(
        (message, e) -> {
          if (e == null) {
            appliedListener.accept(index);
          } else {
            LOG.debug("{}: entry {} was not applied", this, index, e);
          }
        });
  }

  private boolean mustStop() {
    Long last = stopIndex.get();
    return last != null && last <= applied;
  }

  private void reload() throws IOException {
    machine.reinitialize();
    SnapshotInfo checkpoint = machine.getLatestSnapshot();
    if (checkpoint == null) {
      throw new IllegalStateException(this + " must begin after a checkpoint, but has none");
    }
    applied = checkpoint.getIndex();
    appliedListener.accept(applied);
    state = State.RUNNING;
  }

  private void end() {
    state = State.STOP;
    try {
      machine.close();
    } catch (IOException | RuntimeException e) {
      LOG.warn("{}: the state machine did not close", this, e);
    }
    stopped.complete(null);
  }
}
