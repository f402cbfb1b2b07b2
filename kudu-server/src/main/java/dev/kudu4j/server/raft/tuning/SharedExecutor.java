package dev.kudu4j.server.raft.tuning;

import dev.kudu4j.server.transport.ReceivingThread;
import java.util.List;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;

/**
 * What a group of Ratis gets in place of a pool of its own, which would keep a thread for each
 * group awake for ever: heartbeats use it in the middle of being handled.
 *
 * <p>A thread that handles a message from another server goes on itself: it is there for this, and
 * holds no lock. All others hand over to the pool that all groups share. Closing a group does
 * nothing to it.
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
