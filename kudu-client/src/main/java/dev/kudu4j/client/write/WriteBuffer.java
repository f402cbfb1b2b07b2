package dev.kudu4j.client.write;

import dev.kudu4j.client.cluster.Cluster;
import dev.kudu4j.client.cluster.Deadline;
import dev.kudu4j.client.cluster.FailureStatus;
import dev.kudu4j.client.cluster.Failures;
import dev.kudu4j.client.cluster.RemoteReplica;
import dev.kudu4j.client.cluster.RemoteTablet;
import dev.kudu4j.client.write.SessionSettings.FlushPolicy;
import dev.kudu4j.common.proto.tserver.WriteResponsePB;
import dev.kudu4j.common.rpc.RpcException;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.common.status.StatusCode;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;

/**
 * The operations of one session, from apply to response.
 *
 * <pre>
 *   apply -> {@link TableWriter}: which tablet? -> {@link TabletWriter}: packed into its last batch
 *                 |  not known: wait for the master        |
 *                 +----------------------------------------+-> due: sent, one batch at a time
 * </pre>
 *
 * <p>Apply packs an operation into the bytes that are sent. Besides these bytes, the buffer keeps
 * only the user's object, for the response. Each operation belongs to a {@link FlushGroup}; a flush
 * makes the group due, and with it the batches that hold its operations.
 *
 * <p>Invariant: operations on one row are sent in the order in which they were applied, and each
 * batch of a tablet is sent after the previous one was answered. This also holds when a tablet no
 * longer exists and its operations move to another tablet.
 *
 * <p>One lock guards all mutable state. No foreign code runs under it: sends and completions are
 * collected and run after unlocking.
 */
public final class WriteBuffer<R> {
  private final Cluster cluster;
  private final SessionSettings settings;
  private final WriteMemoryGate gate;
  private final BatchCalls<R> calls;
  private final OperationAnswers<R> answers;
  private final OperationLocator<R> locator;

  private final DeferringLock lock = new DeferringLock(this::sendReady);
  private final Condition hasRoom = lock.newCondition();
  private final TabletWriters<R> tablets = new TabletWriters<>();
  private final List<TabletWriter<R>> filling = new ArrayList<>();

  private final List<TabletWriter<R>> ready = new ArrayList<>();

  /** Groups that are due and not complete, in the order of the flushes. */
  private final ArrayDeque<FlushGroup<R>> dueGroups = new ArrayDeque<>();

  private final FlushGroup<R> atOnce = new FlushGroup<>();
  private final List<CompletableFuture<Void>> awaitingRoom = new ArrayList<>();
  private final List<CompletableFuture<Void>> awaitingIdle = new ArrayList<>();
  private FlushGroup<R> group = new FlushGroup<>();
  private long groupBytes;
  private long groupSinceNanos;
  private boolean flushScheduled;
  private int waitingThreads;

  public WriteBuffer(
      Cluster cluster, WriteMemory memory, SessionSettings settings, WriteListener<R> listener) {
    this.cluster = cluster;
    this.settings = settings;
    this.gate = new WriteMemoryGate(memory, settings);
    this.calls = new BatchCalls<>(cluster, settings, listener, new BatchAnswers());
    this.answers = new OperationAnswers<>(settings, listener, gate, lock, atOnce);
    this.locator =
        new OperationLocator<>(cluster, settings, gate, lock, answers, new TabletBatches());
    atOnce.setDue();
  }

  // Applying.

  /**
   * Accepts an operation.
   *
   * @param answer completed with the operation's result; may be null
   * @return null if the operation was accepted; otherwise a future that completes when there is
   *     room
   */
  public CompletableFuture<Void> offer(PendingWrite<R> operation, CompletableFuture<R> answer) {
    lock.lock();
    try {
      if (isFull()) {
        flushForRoom();
        CompletableFuture<Void> room = new CompletableFuture<>();
        awaitingRoom.add(room);
        return room;
      }
      take(operation, answer);
      return null;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Accepts an operation, waiting for room if there is none.
   *
   * @param answer completed with the operation's result; may be null
   */
  public void put(PendingWrite<R> operation, CompletableFuture<R> answer)
      throws InterruptedException {
    lock.lock();
    try {
      if (isFull()) {
        awaitRoom();
      }
      take(operation, answer);
    } finally {
      lock.unlock();
    }
  }

  private void awaitRoom() throws InterruptedException {
    if (cluster.isEventLoop()) {
      throw new IllegalStateException(
          "The session is full, and a client thread must not wait, because it receives responses;"
              + " apply from another thread, or use AsyncKuduSession");
    }
    flushForRoom();
    waitingThreads++;
    try {
      while (isFull()) {
        lock.catchUp();
        if (isFull()) {
          hasRoom.await();
        }
      }
    } finally {
      waitingThreads--;
    }
  }

  /**
   * Whether no operation is accepted now. With MANUAL, no group is started while two groups are in
   * flight, but a group that is already started may be filled.
   */
  private boolean isFull() {
    return settings.policy == FlushPolicy.MANUAL
        ? group.count() == 0 && isFlushing(2)
        : gate.isFull();
  }

  private boolean isFlushing(int groups) {
    int counted = 0;
    for (FlushGroup<R> due : dueGroups) {
      counted += due.count() > 0 && !due.isComplete() ? 1 : 0;
    }
    return counted >= groups;
  }

  private void flushForRoom() {
    if (settings.policy == FlushPolicy.BACKGROUND) {
      flushGroup(null);
    }
  }

  private void take(PendingWrite<R> operation, CompletableFuture<R> answer) {
    checkBufferSpace(operation);
    if (operation.isUnderWay()) {
      throw new IllegalStateException("The operation is already in a session: " + operation);
    }
    TableWriter<R> table = locator.writerOf(operation.table());
    table.encodePartitionKey(operation);
    RemoteTablet tablet = table.unlocated().isEmpty() ? table.cachedTablet() : null;

    boolean immediately = settings.policy == FlushPolicy.SYNC;
    operation.begin(immediately ? atOnce : group, answer);
    groupBytes += gate.begin(operation);
    if (immediately) {
      operation.setDeadline(Deadline.after(settings.timeoutMillis));
    }
    if (tablet != null) {
      addTo(tablet, table, operation);
    } else {
      locator.add(table, operation);
    }
    if (!immediately) {
      grown();
    }
  }

  private void checkBufferSpace(PendingWrite<R> operation) throws KuduException {
    if (settings.policy != FlushPolicy.MANUAL) {
      return;
    }
    if (group.count() >= settings.maxOperations
        || (settings.maxBytes >= 0
            && group.count() > 0
            && groupBytes + operation.rowBytes() > settings.maxBytes)) {
      throw new KuduException(
          StatusCode.ILLEGAL_STATE,
          "MANUAL_FLUSH is enabled but the buffer is too big: it holds "
              + group.count()
              + " operations; flush, or set a larger mutation buffer space");
    }
  }

  private void addTo(RemoteTablet tablet, TableWriter<R> table, PendingWrite<R> operation) {
    TabletWriter<R> writer = tablets.of(tablet);
    if (operation.group().isDue()) {
      gate.addPacked(
          writer.addDue(table, operation, dueSince(operation), settings.toleranceNanos()));
      send(writer);
      return;
    }
    operation.forgetDeadline(); // its tablet is known; it has no deadline before its flush
    boolean wasOpen = writer.hasOpenBatch();
    boolean mayJoinDue = settings.policy == FlushPolicy.BACKGROUND;
    gate.addPacked(writer.add(table, operation, mayJoinDue, settings.toleranceNanos()));
    if (!wasOpen && writer.hasOpenBatch()) {
      filling.add(writer);
    }
  }

  private long dueSince(PendingWrite<R> operation) {
    long timeout = settings.timeoutMillis;
    return timeout > 0 && operation.hasDeadline()
        ? operation.deadline().nanoTime() - TimeUnit.MILLISECONDS.toNanos(timeout)
        : System.nanoTime();
  }

  /**
   * Called after an operation was added to the group. With BACKGROUND, flushes a full group, and
   * schedules the flush of a new one.
   */
  private void grown() {
    if (settings.policy != FlushPolicy.BACKGROUND) {
      return;
    }
    if (group.count() >= settings.maxOperations
        || (settings.maxBytes >= 0 && groupBytes >= settings.maxBytes)) {
      flushGroup(null);
    } else if (group.count() == 1) {
      groupSinceNanos = System.nanoTime();
      scheduleFlush(settings.flushIntervalMillis);
    }
  }

  // Flushing.

  /**
   * Sends the buffered operations. The future completes with the responses, in the order of apply.
   */
  public CompletableFuture<List<R>> flush() {
    CompletableFuture<List<R>> flushed = new CompletableFuture<>();
    lock.lock();
    try {
      flushGroup(flushed);
    } finally {
      lock.unlock();
    }
    return flushed;
  }

  private void flushGroup(CompletableFuture<List<R>> flushed) {
    if (group.count() == 0 && flushed == null) {
      return;
    }
    group.setDue();
    group.setWanted(flushed);
    dueGroups.add(group);
    long now = System.nanoTime();
    for (TabletWriter<R> writer : filling) {
      writer.setDue(now);
      send(writer);
    }
    filling.clear();
    locator.setDue(group);
    group = new FlushGroup<>();
    groupBytes = 0;
    completeGroups();
  }

  /** One timer serves all groups. It is set again while operations are buffered. */
  private void scheduleFlush(long delayMillis) {
    if (!flushScheduled) {
      flushScheduled = true;
      lock.defer(() -> cluster.schedule(this::flushIfOld, delayMillis, TimeUnit.MILLISECONDS));
    }
  }

  private void flushIfOld() {
    lock.lock();
    try {
      flushScheduled = false;
      if (group.count() == 0 || settings.policy != FlushPolicy.BACKGROUND) {
        return;
      }
      long age = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - groupSinceNanos);
      if (age >= settings.flushIntervalMillis) {
        flushGroup(null);
      } else {
        scheduleFlush(settings.flushIntervalMillis - age);
      }
    } finally {
      lock.unlock();
    }
  }

  private void completeGroups() {
    while (!dueGroups.isEmpty() && dueGroups.peek().isComplete()) {
      FlushGroup<R> complete = dueGroups.poll();
      lock.defer(complete::complete);
    }
  }

  public int pendingOperations() {
    lock.lock();
    try {
      return gate.pending();
    } finally {
      lock.unlock();
    }
  }

  /** Bytes of the packed rows that have no response yet. */
  public long pendingBytes() {
    lock.lock();
    try {
      return tablets.bytes();
    } finally {
      lock.unlock();
    }
  }

  public boolean hasPending() {
    lock.lock();
    try {
      return !gate.isEmpty();
    } finally {
      lock.unlock();
    }
  }

  /** Completes when no operation is pending, including those accepted in the meantime. */
  public CompletableFuture<Void> whenIdle() {
    CompletableFuture<Void> idle = new CompletableFuture<>();
    lock.lock();
    try {
      if (gate.isEmpty()) {
        idle.complete(null);
      } else {
        awaitingIdle.add(idle);
      }
    } finally {
      lock.unlock();
    }
    return idle;
  }

  // Sending.

  /**
   * Lets the writer send its due operations when the lock is released; more operations may join
   * them until then.
   */
  private void send(TabletWriter<R> writer) {
    ready.add(writer);
  }

  private void sendReady() {
    for (TabletWriter<R> writer : ready) {
      WriteBatch<R> batch = writer.next();
      if (batch != null) {
        batch.send(settings.timeoutMillis);
        lock.defer(() -> calls.send(writer, batch));
      }
    }
    ready.clear();
  }

  /** Accepts operations whose tablet is known. */
  private final class TabletBatches implements OperationLocator.Destination<R> {
    @Override
    public void addTo(RemoteTablet tablet, TableWriter<R> table, PendingWrite<R> operation) {
      WriteBuffer.this.addTo(tablet, table, operation);
    }

    @Override
    public void settle() {
      WriteBuffer.this.settle();
    }
  }

  /** Handles the outcomes of the batches. */
  private final class BatchAnswers implements BatchCalls.Answers<R> {
    @Override
    public void written(
        TabletWriter<R> writer,
        WriteBatch<R> batch,
        WriteResponsePB response,
        RemoteReplica replica) {
      lock.lock();
      try {
        batch.table().unlocated().forgetSetbacks();
        answers.answerAll(batch, response, replica);
        batchAnswered(writer, batch, batch);
        writer.setLastFailure(null);
        settle();
      } finally {
        lock.unlock();
      }
    }

    @Override
    public void notWritten(TabletWriter<R> writer, WriteBatch<R> batch, Throwable failure) {
      FailureStatus status = FailureStatus.of(failure);
      boolean tabletGone =
          status.code() == StatusCode.NOT_FOUND
              && !(Failures.unwrap(failure) instanceof RpcException);
      lock.lock();
      try {
        if (tabletGone && !batch.deadline().hasPassed()) {
          relocate(writer, batch);
        } else {
          answers.failAll(batch, answers.statusOf(status, writer, batch));
          batchAnswered(writer, batch, new WriteBatch<>()); // batch's bytes may be in flight
        }
        settle();
      } finally {
        lock.unlock();
      }
    }
  }

  /**
   * @param empty an answered or new batch, whose arrays are reused for later rows
   */
  private void batchAnswered(TabletWriter<R> writer, WriteBatch<R> batch, WriteBatch<R> empty) {
    gate.addPacked(-batch.bytes());
    writer.batchAnswered(empty);
    send(writer);
  }

  /**
   * Searches again for the tablets of all operations in {@code writer} and in the writers that wait
   * for it, because its tablet no longer exists or does not cover the rows.
   */
  private void relocate(TabletWriter<R> writer, WriteBatch<R> failed) {
    UnlocatedOperations<R> unlocated = failed.table().unlocated();
    unlocated.tablets().forget(writer.tablet().partition().start());
    List<PendingWrite<R>> lost = new ArrayList<>(failed.count());
    for (TabletWriter<R> drained : tablets.takeWithThoseBehind(writer)) { // of one table
      for (WriteBatch<R> batch : drained.drain()) {
        gate.addPacked(-batch.bytes());
        for (int row = 0; row < batch.count(); row++) {
          if (batch.isDue()) {
            batch.operation(row).setDeadline(batch.deadline(settings.timeoutMillis));
          }
          gate.addPacked(batch.operation(row).rowBytes());
          lost.add(batch.operation(row));
        }
      }
      filling.removeIf(other -> other == drained);
      tablets.forget(drained);
    }
    locator.relocate(unlocated, lost);
  }

  // Answering.

  /** Called after responses: completes groups, and wakes callers that wait for room or idleness. */
  private void settle() {
    tablets.takeUnblocked().forEach(this::send);
    completeGroups();
    gate.giveBack();
    if (gate.isEmpty()) {
      awaitingIdle.forEach(idle -> lock.defer(() -> idle.complete(null)));
      awaitingIdle.clear();
    }
    if (isRoomy()) {
      if (waitingThreads > 0) {
        hasRoom.signalAll();
      }
      awaitingRoom.forEach(waiting -> lock.defer(() -> waiting.complete(null)));
      awaitingRoom.clear();
    }
  }

  private boolean isRoomy() {
    return settings.policy == FlushPolicy.MANUAL
        ? gate.isEmpty() || !isFlushing(2)
        : gate.isRoomy();
  }
}
