package dev.kudu4j.client.write;

import dev.kudu4j.client.cluster.Deadline;
import dev.kudu4j.client.cluster.TableTablets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/**
 * The operations of one session and one table whose tablet is not known yet, in the order in which
 * they were applied. While there are such operations, later operations wait behind them. So
 * operations on one row stay in order, even if they were made for different {@link WriteTable}
 * objects of the table.
 *
 * <p>Guarded by the lock of its {@link WriteBuffer}.
 */
final class UnlocatedOperations<R> {
  private final TableTablets tablets;
  private final ArrayDeque<PendingWrite<R>> operations = new ArrayDeque<>();
  private boolean locating;
  private int setbacks;

  UnlocatedOperations(TableTablets tablets) {
    this.tablets = tablets;
  }

  TableTablets tablets() {
    return tablets;
  }

  /** Appends an operation. */
  void add(PendingWrite<R> operation) {
    operations.add(operation);
  }

  /** The first operation; null if there is none. */
  PendingWrite<R> first() {
    return operations.peek();
  }

  void removeFirst() {
    operations.remove();
  }

  /** Removes and returns the operations that match the condition, in order. */
  List<PendingWrite<R>> removeIf(Predicate<PendingWrite<R>> condition) {
    List<PendingWrite<R>> removed = new ArrayList<>();
    operations.removeIf(operation -> condition.test(operation) && removed.add(operation));
    return removed;
  }

  /** Sets the deadline of a group's operations, which a flush has made due. */
  void setDue(FlushGroup<R> group, Deadline deadline) {
    for (PendingWrite<R> operation : operations) {
      if (operation.group() == group) {
        operation.setDeadline(deadline);
      }
    }
  }

  boolean isEmpty() {
    return operations.isEmpty();
  }

  boolean isOnlyOne() {
    return operations.size() == 1;
  }

  /** Inserts operations that must be located again, in front of the waiting ones. */
  void relocate(List<PendingWrite<R>> lost) {
    for (int i = lost.size() - 1; i >= 0; i--) {
      operations.addFirst(lost.get(i));
    }
  }

  /**
   * Whether the master is being asked for a tablet of these operations, or will be after a delay.
   */
  boolean isLocating() {
    return locating;
  }

  void setLocating(boolean value) {
    locating = value;
  }

  /**
   * Counts a located tablet that no longer existed or did not cover its rows; returns how often
   * this had happened since a batch was last written.
   */
  int countSetback() {
    return setbacks++;
  }

  void forgetSetbacks() {
    setbacks = 0;
  }

  boolean isIdle() {
    return operations.isEmpty() && !locating;
  }
}
