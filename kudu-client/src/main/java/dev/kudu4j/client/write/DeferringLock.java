package dev.kudu4j.client.write;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A lock under which no foreign code runs: callbacks are collected, and the same thread runs them
 * after it has unlocked.
 */
final class DeferringLock {
  private final ReentrantLock lock = new ReentrantLock();
  private final Runnable beforeUnlock;
  private final List<Runnable> deferred = new ArrayList<>();

  /**
   * @param beforeUnlock runs under the lock before each unlock; may defer more actions
   */
  DeferringLock(Runnable beforeUnlock) {
    this.beforeUnlock = beforeUnlock;
  }

  Condition newCondition() {
    return lock.newCondition();
  }

  void lock() {
    lock.lock();
  }

  /** Defers an action until after the unlock. Called under the lock. */
  void defer(Runnable action) {
    deferred.add(action);
  }

  /** Unlocks, then runs the deferred actions. */
  void unlock() {
    List<Runnable> todo = take();
    lock.unlock();
    for (int i = 0; i < todo.size(); i++) {
      todo.get(i).run();
    }
  }

  /** Unlocks, runs the deferred actions and locks again. */
  void catchUp() {
    unlock();
    lock.lock();
  }

  private List<Runnable> take() {
    beforeUnlock.run();
    if (deferred.isEmpty()) {
      return List.of();
    }
    List<Runnable> todo = new ArrayList<>(deferred);
    deferred.clear();
    return todo;
  }
}
