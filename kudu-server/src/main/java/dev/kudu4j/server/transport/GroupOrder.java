package dev.kudu4j.server.transport;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * Runs the tasks of one group sequentially, in the order of submission, and tasks of different
 * groups concurrently. A group runs one task per turn, so a group with many tasks does not starve
 * other groups.
 */
final class GroupOrder {
  private final Executor executor;

  /**
   * Tasks that wait behind a running or submitted task of their group. A group without such a task
   * has no entry.
   */
  @GuardedBy("this")
  private final Map<Object, Queue<Runnable>> waiting = new HashMap<>();

  GroupOrder(Executor executor) {
    this.executor = executor;
  }

  void execute(Object group, Runnable task) {
    synchronized (this) {
      Queue<Runnable> queue = waiting.get(group);
      if (queue != null) {
        queue.add(task);
        return;
      }
      waiting.put(group, new ArrayDeque<>(2));
    }
    start(group, task);
  }

  private void start(Object group, Runnable task) {
    executor.execute(
        () -> {
          try {
            task.run();
          } finally {
            next(group);
          }
        });
  }

  private void next(Object group) {
    @Nullable Runnable next;
    synchronized (this) {
      Queue<Runnable> queue = waiting.get(group);
      assert queue != null : "a group whose task runs has a queue";
      next = queue.poll();
      if (next == null) {
        waiting.remove(group);
      }
    }
    if (next != null) {
      start(group, next);
    }
  }
}
