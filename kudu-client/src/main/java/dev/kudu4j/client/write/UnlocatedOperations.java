package dev.kudu4j.client.write;

import dev.kudu4j.client.cluster.Deadline;
import dev.kudu4j.client.cluster.TableTablets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/**
 * The operations of one session and one table whose tablet is not known yet, in the order of their
 * applying. While there are such, later operations wait behind them, so that those of one row stay
 * in order; also when they were made for different {@link WriteTable} objects of that table.
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

  /** Puts an operation behind those that wait. */
  void add(PendingWrite<R> operation) {
    operations.add(operation);
  }

  /** The first; null when none waits. */
  PendingWrite<R> first() {
    return operations.peek();
  }

  void removeFirst() {
    operations.remove();
  }

  /** Takes out all that fulfil the condition, in their order. */
  List<PendingWrite<R>> removeIf(Predicate<PendingWrite<R>> condition) {
    List<PendingWrite<R>> removed = new ArrayList<>();
    operations.removeIf(operation -> condition.test(operation) && removed.add(operation));
    return removed;
  }

  /** A flush has made these operations due: from now on somebody waits for them. */
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

  /** Puts operations that lost their tablet in front of those that wait for one. */
  void relocate(List<PendingWrite<R>> lost) {
    for (int i = lost.size() - 1; i >= 0; i--) {
      operations.addFirst(lost.get(i));
    }
  }

  /** Whether the master is being asked, or about to be. */
  boolean isLocating() {
    return locating;
  }

  void setLocating(boolean value) {
    locating = value;
  }

  /** How often in a row a tablet that was found turned out not to be there. */
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
