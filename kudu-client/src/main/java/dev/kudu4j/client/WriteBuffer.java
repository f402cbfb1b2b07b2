package dev.kudu4j.client;

import dev.kudu4j.client.SessionConfiguration.FlushMode;
import dev.kudu4j.client.Statistics.Statistic;
import dev.kudu4j.client.cluster.Cluster;
import dev.kudu4j.client.cluster.Deadline;
import dev.kudu4j.client.cluster.RemoteReplica;
import dev.kudu4j.client.cluster.RemoteTablet;
import dev.kudu4j.client.cluster.ReplicaChoice;
import dev.kudu4j.client.cluster.TableTablets.Cover;
import dev.kudu4j.client.cluster.TabletCall;
import dev.kudu4j.client.cluster.TabletReply;
import dev.kudu4j.common.proto.tserver.WriteRequestPB;
import dev.kudu4j.common.proto.tserver.WriteResponsePB;
import dev.kudu4j.common.proto.tserver.WriteResponsePB.PerRowErrorPB;
import dev.kudu4j.common.status.StatusCode;
import dev.kudu4j.common.wire.StatusWire;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The operations of one session, from applying to answer.
 *
 * <pre>
 *   apply -> {@link TableWriter}: which tablet? -> {@link TabletWriter}: packed into its last batch
 *                 |  not known: wait for the master        |
 *                 +----------------------------------------+-> due: sent, one batch at a time
 * </pre>
 *
 * <p>An operation is packed while it is applied, into the bytes that will travel; what is kept of
 * it besides is the user's own object, for the answer. Each operation belongs to a {@link
 * FlushGroup}; a flush makes the group due, and with it the batches that hold its operations.
 *
 * <p>Invariant: the operations of one row are sent in the order in which they were applied, each
 * batch of a tablet after the answer to the one before; so also when their tablet turns out to be
 * gone and they are given to another.
 *
 * <p>One lock guards all that moves. Nothing foreign runs under it: what is to be sent or completed
 * is collected and done after unlocking.
 */
final class WriteBuffer {
  private static final long FIRST_SETBACK_MILLIS = 5;
  private static final long MOST_SETBACK_MILLIS = 1_000;

  private static final TabletCall<WriteResponsePB> WRITE =
      new TabletCall<>(
          "Write", WriteResponsePB.parser(), WriteResponsePB::getError, List.of(), true);

  private final AsyncKuduClient client;
  private final Cluster cluster;
  private final SessionSettings settings;
  private final ErrorCollector errors;
  private final ResourceMetrics metrics;

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition room = lock.newCondition();
  private final Map<KuduTable, TableWriter> tables = new IdentityHashMap<>();
  private final Map<RemoteTablet, TabletWriter> tablets = new IdentityHashMap<>();
  private final List<TabletWriter> filling = new ArrayList<>();

  /** Those that wait for others, in the order of their opening. */
  private final List<TabletWriter> blocked = new ArrayList<>();

  private final List<TabletWriter> ready = new ArrayList<>();
  private final List<Runnable> afterUnlock = new ArrayList<>();

  /** Due and not complete, in the order of the flushes. */
  private final ArrayDeque<FlushGroup> dueGroups = new ArrayDeque<>();

  private final FlushGroup atOnce = new FlushGroup();
  private final List<CompletableFuture<Void>> awaitingRoom = new ArrayList<>();
  private final List<CompletableFuture<Void>> awaitingIdle = new ArrayList<>();
  private FlushGroup group = new FlushGroup();
  private TableWriter lastTable;
  private RemoteTablet lastTablet;
  private TabletWriter lastWriter;
  private int pending;
  private long pendingBytes;
  private long groupBytes;
  private long groupSinceNanos;
  private boolean flushScheduled;
  private int waitingThreads;

  WriteBuffer(
      AsyncKuduClient client,
      SessionSettings settings,
      ErrorCollector errors,
      ResourceMetrics metrics) {
    this.client = client;
    this.cluster = client.cluster();
    this.settings = settings;
    this.errors = errors;
    this.metrics = metrics;
    atOnce.setDue();
  }

  // Applying.

  /**
   * Takes an operation.
   *
   * @param answer completed with what becomes of it; may be null
   * @return null, or when there is no room, what is done when there is
   */
  CompletableFuture<Void> offer(Operation operation, CompletableFuture<OperationResponse> answer)
      throws KuduException {
    lock.lock();
    try {
      if (isFull()) {
        flushGroup(null);
        CompletableFuture<Void> hasRoom = new CompletableFuture<>();
        awaitingRoom.add(hasRoom);
        return hasRoom;
      }
      take(operation, answer);
      return null;
    } finally {
      unlock();
    }
  }

  /** Takes an operation, waiting for room if there is none. */
  void put(Operation operation) throws KuduException, InterruptedException {
    lock.lock();
    try {
      if (isFull()) {
        awaitRoom();
      }
      take(operation, null);
    } finally {
      unlock();
    }
  }

  private void awaitRoom() throws InterruptedException {
    if (cluster.isEventLoop()) {
      throw new IllegalStateException(
          "The session is full, and this thread must not wait: it is the one that brings answers."
              + " Apply from another thread, or use AsyncKuduSession");
    }
    flushGroup(null);
    waitingThreads++;
    try {
      while (isFull()) {
        sendWhileLocked();
        if (isFull()) {
          room.await();
        }
      }
    } finally {
      waitingThreads--;
    }
  }

  /** In the background, a group may gather while another one is on its way. */
  private boolean isFull() {
    return settings.mode == FlushMode.AUTO_FLUSH_BACKGROUND
        && (pending >= 2L * settings.maxOperations
            || (settings.maxBytes >= 0 && pendingBytes >= 2 * settings.maxBytes && pending > 0));
  }

  private void take(Operation operation, CompletableFuture<OperationResponse> answer)
      throws KuduException {
    checkBufferSpace(operation);
    if (operation.isUnderWay()) {
      throw new IllegalStateException("The operation is in a session already: " + operation);
    }
    TableWriter table = writerOf(operation.getTable());
    table.encodePartitionKey(operation.getRow());
    RemoteTablet tablet = table.unlocated().isEmpty() ? table.cachedTablet() : null;

    boolean immediately = settings.mode == FlushMode.AUTO_FLUSH_SYNC;
    operation.begin(immediately ? atOnce : group, answer);
    pending++;
    countBytes(operation);
    if (tablet != null) {
      addTo(tablet, table, operation);
    } else {
      table.unlocated().add(operation);
      locate(table);
    }
    if (!immediately) {
      grown();
    }
  }

  private void checkBufferSpace(Operation operation) throws KuduException {
    if (settings.mode != FlushMode.MANUAL_FLUSH) {
      return;
    }
    if (group.count() >= settings.maxOperations
        || (settings.maxBytes >= 0
            && group.count() > 0
            && groupBytes + operation.getRow().packedBytes() > settings.maxBytes)) {
      throw new NonRecoverableException(
          Status.IllegalState(
              "MANUAL_FLUSH is enabled but the buffer is too big: it holds "
                  + group.count()
                  + " operations; flush, or set a larger mutation buffer space"));
    }
  }

  private void countBytes(Operation operation) {
    if (settings.maxBytes >= 0) {
      int bytes = operation.getRow().packedBytes();
      pendingBytes += bytes;
      groupBytes += bytes;
    }
  }

  private TableWriter writerOf(KuduTable table) {
    if (lastTable == null || lastTable.table() != table) {
      TableWriter writer = tables.get(table);
      if (writer == null) {
        tables.values().removeIf(TableWriter::isIdle); // whoever opens a table for each row
        writer = new TableWriter(table);
        tables.put(table, writer);
      }
      lastTable = writer;
    }
    return lastTable;
  }

  private void addTo(RemoteTablet tablet, TableWriter table, Operation operation) {
    if (tablet != lastTablet) {
      TabletWriter known = tablets.get(tablet);
      lastWriter = known == null ? open(tablet) : known;
      lastTablet = tablet;
    }
    TabletWriter writer = lastWriter;
    boolean wasOpen = writer.hasOpenBatch();
    writer.add(table, operation, settings.mode == FlushMode.AUTO_FLUSH_BACKGROUND);
    if (operation.group().isDue()) {
      send(writer);
    } else if (!wasOpen && writer.hasOpenBatch()) {
      filling.add(writer);
    }
  }

  /**
   * Begins to write to a tablet. Where it has taken the place of another to which operations are
   * still on their way, its own wait for them: the later ones of a row must not overtake.
   */
  private TabletWriter open(RemoteTablet tablet) {
    TabletWriter opened = new TabletWriter(tablet);
    for (TabletWriter other : List.copyOf(tablets.values())) {
      if (!opened.overlaps(other)) {
        continue;
      }
      if (other.isIdle()) {
        forget(other);
      } else {
        opened.waitFor(other);
      }
    }
    if (opened.isBlocked()) {
      blocked.add(opened);
    }
    tablets.put(tablet, opened);
    return opened;
  }

  /** The group has one more operation. */
  private void grown() {
    if (settings.mode != FlushMode.AUTO_FLUSH_BACKGROUND) {
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

  /** Sends what is buffered. The future has the answers, in the order of applying. */
  CompletableFuture<List<OperationResponse>> flush() {
    CompletableFuture<List<OperationResponse>> flushed = new CompletableFuture<>();
    lock.lock();
    try {
      flushGroup(flushed);
    } finally {
      unlock();
    }
    return flushed;
  }

  private void flushGroup(CompletableFuture<List<OperationResponse>> flushed) {
    if (group.count() == 0 && flushed == null) {
      return;
    }
    group.setDue();
    group.setWanted(flushed);
    dueGroups.add(group);
    group = new FlushGroup();
    groupBytes = 0;
    for (TabletWriter writer : filling) {
      writer.setDue();
      send(writer);
    }
    filling.clear();
    completeGroups();
  }

  /** One timer for all groups: set again while there is something to wait for. */
  private void scheduleFlush(long delayMillis) {
    if (!flushScheduled) {
      flushScheduled = true;
      afterUnlock.add(() -> cluster.schedule(this::flushIfOld, delayMillis, TimeUnit.MILLISECONDS));
    }
  }

  private void flushIfOld() {
    lock.lock();
    try {
      flushScheduled = false;
      if (group.count() == 0 || settings.mode != FlushMode.AUTO_FLUSH_BACKGROUND) {
        return;
      }
      long age = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - groupSinceNanos);
      if (age >= settings.flushIntervalMillis) {
        flushGroup(null);
      } else {
        scheduleFlush(settings.flushIntervalMillis - age);
      }
    } finally {
      unlock();
    }
  }

  private void completeGroups() {
    while (!dueGroups.isEmpty() && dueGroups.peek().isComplete()) {
      FlushGroup complete = dueGroups.poll();
      afterUnlock.add(complete::complete);
    }
  }

  boolean hasPending() {
    lock.lock();
    try {
      return pending > 0;
    } finally {
      lock.unlock();
    }
  }

  /** Done when every operation taken so far, and meanwhile, has its answer. */
  CompletableFuture<Void> whenIdle() {
    CompletableFuture<Void> idle = new CompletableFuture<>();
    lock.lock();
    try {
      if (pending == 0) {
        idle.complete(null);
      } else {
        awaitingIdle.add(idle);
      }
    } finally {
      lock.unlock();
    }
    return idle;
  }

  // Locating.

  /** Gives the operations that wait for a tablet to their tablets, as far as those are known. */
  private void locate(TableWriter table) {
    while (!table.isLocating() && !table.unlocated().isEmpty()) {
      Operation operation = table.unlocated().peek();
      table.encodePartitionKey(operation.getRow());
      RemoteTablet tablet = table.cachedTablet();
      if (tablet != null) {
        table.unlocated().poll();
        addTo(tablet, table, operation);
        continue;
      }
      if (!operation.hasDeadline()) {
        operation.setDeadline(Deadline.after(settings.timeoutMillis));
      }
      ask(table, operation);
    }
  }

  private void ask(TableWriter table, Operation operation) {
    CompletableFuture<Cover> question =
        table.tablets().at(table.partitionKey(), operation.deadline());
    if (question.isDone()) {
      try {
        located(table, operation, question.join(), null);
      } catch (CompletionException e) {
        located(table, operation, null, e);
      }
    } else {
      table.setLocating(true);
      afterUnlock.add(
          () -> question.whenComplete((cover, failure) -> told(table, operation, cover, failure)));
    }
  }

  private void told(TableWriter table, Operation operation, Cover cover, Throwable failure) {
    lock.lock();
    try {
      table.setLocating(false);
      located(table, operation, cover, failure);
      locate(table);
    } finally {
      unlock();
    }
  }

  /**
   * An operation has its tablet, or never will. Others may have come before it meanwhile; then it
   * waits for its turn.
   */
  private void located(TableWriter table, Operation operation, Cover cover, Throwable failure) {
    if (failure != null) {
      giveUp(table, operation, KuduException.of(failure).getStatus());
    } else if (cover.isGap()) {
      table.unlocated().remove(operation);
      Status gap = new NonCoveredRangeException(cover.start(), cover.end()).getStatus();
      fail(operation, Status.NotFound(gap.getMessage() + ": " + table.table().getName()));
    } else if (table.unlocated().peek() == operation) {
      table.unlocated().poll();
      addTo(cover.tablet(), table, operation);
    }
  }

  /** The operation and those that will fare no better. */
  private void giveUp(TableWriter table, Operation operation, Status status) {
    List<Operation> hopeless = new ArrayList<>();
    for (Operation other : table.unlocated()) {
      if (other == operation
          || !status.isTimedOut()
          || (other.hasDeadline() && other.deadline().hasPassed())) {
        hopeless.add(other);
      }
    }
    if (hopeless.size() == table.unlocated().size()) {
      table.unlocated().clear();
    } else {
      table.unlocated().removeAll(hopeless);
    }
    hopeless.forEach(other -> fail(other, status));
  }

  /** The operation will not reach any tablet. */
  private void fail(Operation operation, Status status) {
    answered(operation, new RowError(status, operation, null), 0, null, 0);
    settle();
  }

  // Sending.

  /** Sends what is due when the lock is given up: until then more may come along. */
  private void send(TabletWriter writer) {
    ready.add(writer);
  }

  private void sendReady() {
    for (TabletWriter writer : ready) {
      WriteBatch batch = writer.next();
      if (batch != null) {
        batch.send(settings.timeoutMillis);
        afterUnlock.add(() -> sendNow(writer, batch));
      }
    }
    ready.clear();
  }

  private void sendNow(TabletWriter writer, WriteBatch batch) {
    WriteRequestPB request =
        WriteRequestPB.newBuilder()
            .setTabletId(writer.tabletId())
            .setSchema(batch.table().schema())
            .setRowOperations(batch.toWire())
            .setExternalConsistencyMode(settings.consistencyMode.pbVersion())
            .build();
    cluster
        .call(
            writer.tablet(),
            ReplicaChoice.LEADER,
            WRITE,
            replica -> withTimestamp(request),
            batch.deadline())
        .whenComplete(
            (reply, failure) -> {
              if (failure == null) {
                answered(writer, batch, reply);
              } else {
                notWritten(writer, batch, failure);
              }
            });
  }

  private WriteRequestPB withTimestamp(WriteRequestPB request) {
    long timestamp = cluster.lastTimestamp();
    return timestamp == 0 ? request : request.toBuilder().setPropagatedTimestamp(timestamp).build();
  }

  private void answered(TabletWriter writer, WriteBatch batch, TabletReply<WriteResponsePB> reply) {
    try {
      written(writer, batch, reply);
    } catch (RuntimeException e) {
      notWritten(writer, batch, e); // an answer that makes no sense must not leave anybody waiting
    }
  }

  private void written(TabletWriter writer, WriteBatch batch, TabletReply<WriteResponsePB> reply) {
    WriteResponsePB response = reply.response().message();
    reply.response().close();
    if (response.hasTimestamp()) {
      cluster.observe(response.getTimestamp());
    }
    if (response.hasResourceMetrics()) {
      metrics.add(response.getResourceMetrics());
    }
    count(writer, batch, response.getPerRowErrorsCount());
    lock.lock();
    try {
      batch.table().forgetSetbacks();
      answerAll(batch, response, reply.replica());
      writer.landed(batch);
      send(writer);
      settle();
    } finally {
      unlock();
    }
  }

  private void count(TabletWriter writer, WriteBatch batch, int failedRows) {
    if (client.isStatisticsEnabled()) {
      KuduTable table = batch.table().table();
      String tablet = writer.tablet().tabletId();
      client.count(table, tablet, Statistic.WRITE_RPCS, 1);
      client.count(table, tablet, Statistic.WRITE_OPS, batch.count() - failedRows);
      client.count(table, tablet, Statistic.OPS_ERRORS, failedRows);
      client.count(table, tablet, Statistic.BYTES_WRITTEN, batch.bytes());
    }
  }

  private void answerAll(WriteBatch batch, WriteResponsePB response, RemoteReplica replica) {
    long elapsedMillis = batch.elapsedMillis();
    PerRowErrorPB[] failures = batch.failuresByRow(response);
    for (int row = 0; row < batch.count(); row++) {
      Operation operation = batch.operation(row);
      RowError error =
          failures == null || failures[row] == null
              ? null
              : rowError(failures[row], operation, replica);
      answered(operation, error, elapsedMillis, replica.serverId(), response.getTimestamp());
    }
  }

  /** The row's error; null for one that the user chose to ignore. */
  private RowError rowError(PerRowErrorPB pb, Operation operation, RemoteReplica replica) {
    var failure = StatusWire.fromWire(pb.getError());
    boolean ignored =
        (failure.code() == StatusCode.ALREADY_PRESENT && settings.ignoreDuplicateRows)
            || (failure.code() == StatusCode.NOT_FOUND && settings.ignoreNotFoundRows);
    return ignored ? null : new RowError(Status.of(failure), operation, replica.serverId());
  }

  private void notWritten(TabletWriter writer, WriteBatch batch, Throwable failure) {
    KuduException told = KuduException.of(failure);
    client.count(batch.table().table(), writer.tablet().tabletId(), Statistic.RPC_ERRORS, 1);
    boolean tabletGone = told.getStatus().isNotFound() && !(told instanceof RpcRemoteException);
    lock.lock();
    try {
      if (tabletGone && !batch.deadline().hasPassed()) {
        relocate(writer, batch);
      } else {
        for (int row = 0; row < batch.count(); row++) {
          Operation operation = batch.operation(row);
          if (operation.isUnderWay()) {
            RowError error = new RowError(told.getStatus(), operation, null);
            answered(operation, error, batch.elapsedMillis(), null, 0);
          }
        }
        writer.landed(new WriteBatch()); // its bytes may be on their way still
        send(writer);
      }
      settle();
    } finally {
      unlock();
    }
  }

  /** The tablet is gone, or not that of these rows: looks for the tablets that have them now. */
  private void relocate(TabletWriter writer, WriteBatch failed) {
    TableWriter table = failed.table();
    table.tablets().forget(writer.tablet().partition().start());
    for (int row = 0; row < failed.count(); row++) {
      failed.operation(row).setDeadline(failed.deadline());
    }
    Map<TableWriter, List<Operation>> operations = new IdentityHashMap<>();
    for (TabletWriter drained : withThoseBehind(writer)) {
      for (WriteBatch batch : drained.drain()) {
        List<Operation> ofTable =
            operations.computeIfAbsent(batch.table(), t -> new ArrayList<>(batch.count()));
        for (int row = 0; row < batch.count(); row++) {
          ofTable.add(batch.operation(row));
        }
      }
      filling.removeIf(other -> other == drained);
      forget(drained);
    }
    long wait =
        Math.min(MOST_SETBACK_MILLIS, FIRST_SETBACK_MILLIS << Math.min(8, table.countSetback()));
    operations.forEach(
        (of, list) -> {
          of.relocate(list);
          if (!of.isLocating()) {
            of.setLocating(true);
            afterUnlock.add(
                () -> cluster.after(wait).whenComplete((waited, closed) -> locateAgain(of)));
          }
        });
  }

  /** The writer and all that wait for it, directly or not, in the order of their opening. */
  private List<TabletWriter> withThoseBehind(TabletWriter first) {
    List<TabletWriter> all = new ArrayList<>(List.of(first));
    for (TabletWriter later : blocked) {
      if (all.stream().anyMatch(later::isBehind)) {
        all.add(later);
      }
    }
    blocked.removeAll(all);
    return all;
  }

  private void sendUnblocked() {
    if (!blocked.isEmpty()) {
      for (TabletWriter writer : List.copyOf(blocked)) {
        if (!writer.isBlocked()) {
          blocked.remove(writer);
          send(writer);
        }
      }
    }
  }

  private void locateAgain(TableWriter table) {
    lock.lock();
    try {
      table.setLocating(false);
      locate(table);
      settle();
    } finally {
      unlock();
    }
  }

  private void forget(TabletWriter writer) {
    tablets.remove(writer.tablet(), writer);
    if (lastWriter == writer) {
      lastTablet = null;
      lastWriter = null;
    }
  }

  // Answering.

  private void answered(
      Operation operation, RowError error, long elapsedMillis, String serverId, long timestamp) {
    FlushGroup of = operation.group();
    CompletableFuture<OperationResponse> answer = operation.answer();
    if (error != null && settings.mode == FlushMode.AUTO_FLUSH_BACKGROUND) {
      errors.addError(error);
    }
    OperationResponse response = null;
    if (answer != null || (of != atOnce && of.keepsResponses())) {
      response = new OperationResponse(elapsedMillis, serverId, timestamp, error);
    }
    if (answer != null) {
      OperationResponse told = response;
      afterUnlock.add(() -> answer.complete(told));
    }
    if (of != atOnce) {
      of.answered(operation.indexInGroup(), of.keepsResponses() ? response : null);
    }
    if (settings.maxBytes >= 0) {
      pendingBytes -= operation.getRow().packedBytes();
    }
    operation.end();
    pending--;
  }

  /** After answers: groups that are complete, and those who wait for room or for the end. */
  private void settle() {
    sendUnblocked();
    completeGroups();
    if (pending == 0) {
      awaitingIdle.forEach(idle -> afterUnlock.add(() -> idle.complete(null)));
      awaitingIdle.clear();
    }
    if (isRoomy()) {
      if (waitingThreads > 0) {
        room.signalAll();
      }
      awaitingRoom.forEach(hasRoom -> afterUnlock.add(() -> hasRoom.complete(null)));
      awaitingRoom.clear();
    }
  }

  /** Some way below full, so that who waits is not woken for every batch. */
  private boolean isRoomy() {
    return pending <= settings.maxOperations + settings.maxOperations / 2
        && (settings.maxBytes < 0 || pendingBytes <= settings.maxBytes + settings.maxBytes / 2);
  }

  private void sendWhileLocked() {
    List<Runnable> todo = takeAfterUnlock();
    lock.unlock();
    try {
      todo.forEach(Runnable::run);
    } finally {
      lock.lock();
    }
  }

  /** Unlocks, and then does what had to wait for that. */
  private void unlock() {
    List<Runnable> todo = takeAfterUnlock();
    lock.unlock();
    for (int i = 0; i < todo.size(); i++) {
      todo.get(i).run();
    }
  }

  private List<Runnable> takeAfterUnlock() {
    if (!ready.isEmpty()) {
      sendReady();
    }
    if (afterUnlock.isEmpty()) {
      return List.of();
    }
    List<Runnable> todo = new ArrayList<>(afterUnlock);
    afterUnlock.clear();
    return todo;
  }
}
