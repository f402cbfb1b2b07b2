package dev.kudu4j.server.raft.tuning;

import dev.kudu4j.server.transport.ReceivingThread;
import java.util.List;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;

/**
 * Replaces the thread pool of a group. Ratis uses that pool to handle heartbeats, so each group
 * would keep a thread alive permanently.
 *
 * <p>A thread that handles a message from another server runs the task itself, because such a
 * thread may block and holds no lock. Other threads pass the task to the pool that all groups
 * share. Closing a group does not close that pool.
 */
final class SharedExecutor extends AbstractExecutorService {
  private final Executor shared;

  SharedExecutor(Executor shared) {
    this.shared = shared;
  }

  @Override
  public void execute(Runnable task) {
    if (ReceivingThread.isCurrent()) {
      task.run();
    } else {
      shared.execute(task);
    }
  }

  @Override
  public void shutdown() {}

  @Override
  public List<Runnable> shutdownNow() {
    return List.of();
  }

  @Override
  public boolean isShutdown() {
    return false;
  }

  @Override
  public boolean isTerminated() {
    return false;
  }

  @Override
  public boolean awaitTermination(long timeout, TimeUnit unit) {
    return true;
  }
}
