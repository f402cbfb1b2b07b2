package dev.kudu4j.common.rpc.execution;

import dev.kudu4j.common.thread.EventLoopThread;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;

/**
 * Runs calls of some costs on the event loop that received them, and all others on a pool.
 *
 * <p>The adaptive variant bounds the time for which a loop runs calls without a look at its other
 * connections: from the first call on, until all work that was pending then is done. Beyond the
 * bound, calls go to the pool, whose bounded queue rejects them under overload.
 */
final class LoopExecution implements CallExecution {
  private static final long MAX_BUSY_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  private final CallExecution pool;
  private final Set<CallCost> onLoop;
  private final boolean adaptive;
  private volatile boolean stopped;

  private LoopExecution(CallExecution pool, Set<CallCost> onLoop, boolean adaptive) {
    this.pool = pool;
    this.onLoop = onLoop;
    this.adaptive = adaptive;
  }

  /** Runs all calls that do not block on the event loops. */
  static LoopExecution shared(CallExecution pool) {
    return new LoopExecution(pool, EnumSet.of(CallCost.SHORT, CallCost.LONG), false);
  }

  /** Runs short calls on the event loops, as long as those are not too busy. */
  static LoopExecution adaptive(CallExecution pool) {
    return new LoopExecution(pool, EnumSet.of(CallCost.SHORT), true);
  }

  @Override
  public void execute(CallTask task) {
    EventLoopThread loop = EventLoopThread.current();
    if (stopped || loop == null || !onLoop.contains(task.cost())) {
      pool.handOver(task);
    } else if (!adaptive) {
      task.run();
    } else if (hasTime(loop, task)) {
      loop.runNonBlocking(task::run);
    } else {
      pool.handOver(task);
    }
  }

  private static boolean hasTime(EventLoopThread loop, CallTask task) {
    long now = System.nanoTime();
    if (loop.busy(now)) {
      try {
        task.loop().execute(loop::idle); // behind the work that is pending now
      } catch (RejectedExecutionException e) {
        loop.idle(); // the loop is stopping
      }
    }
    return loop.busyNanos(now) < MAX_BUSY_NANOS;
  }

  @Override
  public void handOver(CallTask task) {
    pool.handOver(task);
  }

  @Override
  public int queuedCalls() {
    return pool.queuedCalls();
  }

  @Override
  public long queuedBytes() {
    return pool.queuedBytes();
  }

  @Override
  public void shutdown() {
    stopped = true;
    pool.shutdown();
  }

  @Override
  public boolean awaitTasks(long timeoutNanos) throws InterruptedException {
    return pool.awaitTasks(timeoutNanos);
  }
}
