package dev.kudu4j.common.rpc.execution;

/** The threads that run the calls of one service. Thread-safe. */
public interface CallExecution {
  /** Runs the task, on the current thread or on another one, or rejects it. Never blocks. */
  void execute(CallTask task);

  /** Runs the task on a thread that may block, or rejects it. Never blocks. */
  void handOver(CallTask task);

  /** The number of calls that wait for a thread. */
  int queuedCalls();

  /** The size of the requests that wait for a thread. */
  long queuedBytes();

  /** Stops accepting tasks and rejects those that wait. Running tasks are not interrupted. */
  void shutdown();

  /** Waits for all running tasks; returns whether they ended in time. */
  boolean awaitTasks(long timeoutNanos) throws InterruptedException;
}
