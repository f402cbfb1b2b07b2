package dev.kudu4j.common.rpc.execution;

import dev.kudu4j.common.rpc.execution.CallTask.Rejection;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A bounded queue and a bounded number of threads for each service, so a service with slow methods
 * does not delay other services. The queue is bounded in calls and in bytes. Idle threads end.
 */
final class PoolExecution implements CallExecution {
  private static final long IDLE_THREAD_SECONDS = 30;

  private final ExecutionLimits limits;
  private final ThreadPoolExecutor threads;
  private final AtomicLong queuedBytes = new AtomicLong();

  PoolExecution(String name, ExecutionLimits limits) {
    this.limits = limits;
    this.threads =
        new ThreadPoolExecutor(
            limits.threads(),
            limits.threads(),
            IDLE_THREAD_SECONDS,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(limits.queuedCalls()),
            new DefaultThreadFactory(name, true),
            (task, executor) ->
                ((Queued) task)
                    .reject(
                        executor.isShutdown() ? Rejection.SHUTTING_DOWN : Rejection.QUEUE_FULL));
    threads.allowCoreThreadTimeOut(true);
  }

  @Override
  public void execute(CallTask task) {
    handOver(task);
  }

  @Override
  public void handOver(CallTask task) {
    Queued queued = new Queued(task);
    long before = queuedBytes.getAndAdd(task.bytes());
    if (before > 0 && before + task.bytes() > limits.queuedBytes()) {
      queued.reject(Rejection.QUEUE_FULL);
    } else {
      threads.execute(queued);
    }
  }

  @Override
  public int queuedCalls() {
    return threads.getQueue().size();
  }

  @Override
  public long queuedBytes() {
    return queuedBytes.get();
  }

  @Override
  public void shutdown() {
    threads.shutdown();
    List<Runnable> waiting = new ArrayList<>();
    threads.getQueue().drainTo(waiting);
    waiting.forEach(task -> ((Queued) task).reject(Rejection.SHUTTING_DOWN));
  }

  @Override
  public boolean awaitTasks(long timeoutNanos) throws InterruptedException {
    return threads.awaitTermination(timeoutNanos, TimeUnit.NANOSECONDS);
  }

  /** A task whose bytes are counted as queued. */
  private final class Queued implements Runnable {
    private final CallTask task;

    Queued(CallTask task) {
      this.task = task;
    }

    @Override
    public void run() {
      queuedBytes.addAndGet(-task.bytes());
      task.run();
    }

    void reject(Rejection reason) {
      queuedBytes.addAndGet(-task.bytes());
      task.reject(reason);
    }
  }
}
