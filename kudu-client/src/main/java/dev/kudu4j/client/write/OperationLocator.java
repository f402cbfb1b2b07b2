package dev.kudu4j.client.write;

import dev.kudu4j.client.cluster.Cluster;
import dev.kudu4j.client.cluster.Deadline;
import dev.kudu4j.client.cluster.FailureStatus;
import dev.kudu4j.client.cluster.PartitionKeyText;
import dev.kudu4j.client.cluster.RemoteTablet;
import dev.kudu4j.client.cluster.TableTablets.Cover;
import dev.kudu4j.common.status.StatusCode;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Predicate;

/**
 * Finds the tablets of a session's operations. Holds the state of each table, and the operations
 * whose tablet is not known yet.
 *
 * <p>Guarded by the lock of its {@link WriteBuffer}.
 */
final class OperationLocator<R> {
  private static final long FIRST_SETBACK_MILLIS = 5;
  private static final long MAX_SETBACK_MILLIS = 1_000;

  /** Rows share a batch only if they have the same {@link TableWriter}, so some idle ones stay. */
  private static final int KEPT_TABLES = 64;

  /** Receives the operations whose tablet is found. */
  interface Destination<R> {
    /** Adds an operation whose tablet is known. */
    void addTo(RemoteTablet tablet, TableWriter<R> table, PendingWrite<R> operation);

    /** Called after operations have failed because their tablet was not found. */
    void settle();
  }

  private final Cluster cluster;
  private final SessionSettings settings;
  private final WriteMemoryGate gate;
  private final DeferringLock lock;
  private final OperationAnswers<R> answers;
  private final Destination<R> destination;
  private final Map<WriteTable, TableWriter<R>> tables = new IdentityHashMap<>();
  private final Map<String, UnlocatedOperations<R>> unlocatedByTable = new HashMap<>();
  private TableWriter<R> lastTable;

  OperationLocator(
      Cluster cluster,
      SessionSettings settings,
      WriteMemoryGate gate,
      DeferringLock lock,
      OperationAnswers<R> answers,
      Destination<R> destination) {
    this.cluster = cluster;
    this.settings = settings;
    this.gate = gate;
    this.lock = lock;
    this.answers = answers;
    this.destination = destination;
  }

  TableWriter<R> writerOf(WriteTable table) {
    if (lastTable == null || lastTable.table() != table) {
      TableWriter<R> writer = tables.get(table);
      if (writer == null) {
        if (tables.size() >= KEPT_TABLES) { // a program may open a table for each row
          tables.values().removeIf(TableWriter::isIdle);
        }
        writer = new TableWriter<>(table, unlocatedOf(table));
        tables.put(table, writer);
      }
      lastTable = writer;
    }
    return lastTable;
  }

  private UnlocatedOperations<R> unlocatedOf(WriteTable table) {
    if (gate.isEmpty()) { // relocate() may add operations that are in flight
      unlocatedByTable.values().removeIf(UnlocatedOperations::isIdle);
    }
    return unlocatedByTable.computeIfAbsent(
        table.tablets().tableId(), id -> new UnlocatedOperations<>(table.tablets()));
  }

  /**
   * Adds an operation whose tablet is not known, or that must wait behind earlier operations of its
   * table.
   */
  void add(TableWriter<R> table, PendingWrite<R> operation) {
    gate.addPacked(operation.rowBytes());
    table.unlocated().add(operation);
    locate(table.unlocated());
  }

  /** Sets the deadline of a group's operations, which a flush has made due. */
  void setDue(FlushGroup<R> group) {
    for (UnlocatedOperations<R> unlocated : unlocatedByTable.values()) {
      unlocated.setDue(group, Deadline.after(settings.timeoutMillis));
    }
  }

  /**
   * Searches again, after a delay, for the tablets of operations whose tablet no longer exists or
   * does not cover their rows.
   */
  void relocate(UnlocatedOperations<R> unlocated, List<PendingWrite<R>> lost) {
    unlocated.relocate(lost);
    long wait =
        Math.min(MAX_SETBACK_MILLIS, FIRST_SETBACK_MILLIS << Math.min(8, unlocated.countSetback()));
    if (!unlocated.isLocating()) {
      unlocated.setLocating(true);
      lock.defer(
          () -> cluster.after(wait).whenComplete((waited, closed) -> locateAgain(unlocated)));
    }
  }

  private void locateAgain(UnlocatedOperations<R> unlocated) {
    lock.lock();
    try {
      unlocated.setLocating(false);
      locate(unlocated);
      destination.settle();
    } finally {
      lock.unlock();
    }
  }

  /** Passes waiting operations to their tablets, in order, until a tablet is not known. */
  private void locate(UnlocatedOperations<R> unlocated) {
    while (!unlocated.isLocating() && !unlocated.isEmpty()) {
      PendingWrite<R> operation = unlocated.first();
      TableWriter<R> table = writerOf(operation.table());
      table.encodePartitionKey(operation);
      RemoteTablet tablet = table.cachedTablet();
      if (tablet != null) {
        removeFirst(unlocated);
        destination.addTo(tablet, table, operation);
        continue;
      }
      ask(unlocated, operation, table.partitionKey());
    }
  }

  private void ask(
      UnlocatedOperations<R> unlocated, PendingWrite<R> operation, byte[] partitionKey) {
    CompletableFuture<Cover> question =
        unlocated.tablets().at(partitionKey, askUntil(operation, unlocated));
    if (question.isDone()) {
      try {
        located(unlocated, operation, question.join(), null);
      } catch (CompletionException e) {
        located(unlocated, operation, null, e);
      }
    } else {
      unlocated.setLocating(true);
      lock.defer(
          () ->
              question.whenComplete(
                  (cover, failure) -> onLocated(unlocated, operation, cover, failure)));
    }
  }

  /**
   * The deadline of the lookup for {@code operation}. If other operations wait behind {@code
   * operation}, the deadline of the lookup is slightly later than its own: when the lookup times
   * out, most of the other operations have expired as well and need no lookup.
   */
  private Deadline askUntil(PendingWrite<R> operation, UnlocatedOperations<R> unlocated) {
    long timeout = settings.timeoutMillis;
    if (timeout <= 0 || !operation.hasDeadline()) {
      return Deadline.after(timeout);
    }
    return unlocated.isOnlyOne()
        ? operation.deadline()
        : new Deadline(operation.deadline().nanoTime() + settings.toleranceNanos());
  }

  private void onLocated(
      UnlocatedOperations<R> unlocated, PendingWrite<R> operation, Cover cover, Throwable failure) {
    lock.lock();
    try {
      unlocated.setLocating(false);
      located(unlocated, operation, cover, failure);
      locate(unlocated);
    } finally {
      lock.unlock();
    }
  }

  /**
   * Handles the result of a lookup: a tablet, a gap or a failure. If {@link #relocate} has put
   * other operations in front of the operation in the meantime, it waits for its turn.
   */
  private void located(
      UnlocatedOperations<R> unlocated, PendingWrite<R> operation, Cover cover, Throwable failure) {
    if (failure != null) {
      giveUp(unlocated, operation, FailureStatus.of(failure));
    } else if (cover.isGap()) {
      remove(unlocated, other -> other == operation);
      String gap = PartitionKeyText.ofGap(cover.start(), cover.end());
      answers.refuse(
          operation,
          new FailureStatus(StatusCode.NOT_FOUND, gap + ": " + operation.table().name()));
      destination.settle();
    } else if (unlocated.first() == operation) {
      removeFirst(unlocated);
      destination.addTo(cover.tablet(), writerOf(operation.table()), operation);
    }
  }

  private void removeFirst(UnlocatedOperations<R> unlocated) {
    gate.addPacked(-unlocated.first().rowBytes());
    unlocated.removeFirst();
  }

  private List<PendingWrite<R>> remove(
      UnlocatedOperations<R> unlocated, Predicate<PendingWrite<R>> condition) {
    List<PendingWrite<R>> removed = unlocated.removeIf(condition);
    removed.forEach(operation -> gate.addPacked(-operation.rowBytes()));
    return removed;
  }

  /** Fails the operation, and the waiting operations that would fail for the same reason. */
  private void giveUp(
      UnlocatedOperations<R> unlocated, PendingWrite<R> operation, FailureStatus status) {
    List<PendingWrite<R>> hopeless =
        remove(
            unlocated,
            other ->
                other == operation
                    || !status.isTimedOut()
                    || (other.hasDeadline() && other.deadline().hasPassed()));
    hopeless.forEach(other -> answers.refuse(other, status));
    destination.settle();
  }
}
