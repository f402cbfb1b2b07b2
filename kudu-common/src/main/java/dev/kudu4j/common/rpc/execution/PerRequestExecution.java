package dev.kudu4j.common.rpc.execution;

import dev.kudu4j.common.rpc.execution.CallTask.Rejection;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.lang.reflect.Method;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A thread for each call: a virtual one on JVMs that have virtual threads (21 and later), else a
 * platform thread. As many calls are admitted as a pool would run and queue.
 */
final class PerRequestExecution implements CallExecution {
  private final ExecutionLimits limits;
  private final ThreadFactory threads;
  private final int maxCalls;
  private final Semaphore free;
  private final AtomicLong bytes = new AtomicLong();
  private volatile boolean stopped;

  PerRequestExecution(String name, ExecutionLimits limits) {
    this.limits = limits;
    this.threads = threads(name);
    this.maxCalls = limits.threads() + limits.queuedCalls();
    this.free = new Semaphore(maxCalls);
  }

  private static ThreadFactory threads(String name) {
    try {
      Method ofVirtual = Thread.class.getMethod("ofVirtual");
      Class<?> builder = Class.forName("java.lang.Thread$Builder");
      Object named =
          builder
              .getMethod("name", String.class, long.class)
              .invoke(ofVirtual.invoke(null), name + "-", 0L);
      return (ThreadFactory) builder.getMethod("factory").invoke(named);
    } catch (ReflectiveOperationException e) {
      return new DefaultThreadFactory(name, true); // an older JVM
    }
  }

  @Override
  public void execute(CallTask task) {
    handOver(task);
  }

  @Override
  public void handOver(CallTask task) {
    if (stopped) {
      task.reject(Rejection.SHUTTING_DOWN);
    } else if (!free.tryAcquire()) {
      task.reject(Rejection.QUEUE_FULL);
    } else if (!admitBytes(task.bytes())) {
      free.release();
      task.reject(Rejection.QUEUE_FULL);
    } else {
      start(task);
    }
  }

  private boolean admitBytes(int more) {
    long before = bytes.getAndAdd(more);
    boolean admitted = before == 0 || before + more <= limits.queuedBytes();
    if (!admitted) {
      bytes.addAndGet(-more);
    }
    return admitted;
  }

  private void start(CallTask task) {
    try {
      threads.newThread(() -> run(task)).start();
    } catch (OutOfMemoryError e) { // no thread can be created
      release(task);
      task.reject(Rejection.QUEUE_FULL);
    }
  }

  private void run(CallTask task) {
    try {
      task.run();
    } finally {
      release(task);
    }
  }

  private void release(CallTask task) {
    bytes.addAndGet(-task.bytes());
    free.release();
  }

  @Override
  public int queuedCalls() {
    return maxCalls - free.availablePermits();
  }

  @Override
  public long queuedBytes() {
    return bytes.get();
  }

  @Override
  public void shutdown() {
    stopped = true;
  }

  @Override
  public boolean awaitTasks(long timeoutNanos) throws InterruptedException {
    boolean ended = free.tryAcquire(maxCalls, Math.max(0, timeoutNanos), TimeUnit.NANOSECONDS);
    if (ended) {
      free.release(maxCalls);
    }
    return ended;
  }
}
