package dev.kudu4j.client.write;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A lock under which nothing foreign runs: what is to be called is collected, and done by the same
 * thread when it has unlocked.
 */
final class DeferringLock {
  private final ReentrantLock lock = new ReentrantLock();
  private final Runnable beforeUnlock;
  private final List<Runnable> deferred = new ArrayList<>();

  /**
   * @param beforeUnlock the last thing done under the lock, each time; may defer more
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

  /** To be done after unlocking; under the lock. */
  void defer(Runnable action) {
    deferred.add(action);
  }

  /** Unlocks, and then does what had to wait for that. */
  void unlock() {
    List<Runnable> todo = take();
    lock.unlock();
    for (int i = 0; i < todo.size(); i++) {
      todo.get(i).run();
    }
  }

  /** Does what is to be done before going on under the lock. */
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
