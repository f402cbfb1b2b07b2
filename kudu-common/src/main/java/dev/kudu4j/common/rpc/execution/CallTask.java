package dev.kudu4j.common.rpc.execution;

import io.netty.util.concurrent.EventExecutor;

/**
 * A call, or the rest of one, that waits for a thread. Exactly one of the last two methods runs.
 */
public interface CallTask {
  /** Why a task did not run. */
  enum Rejection {
    QUEUE_FULL,
    SHUTTING_DOWN
  }

  CallCost cost();

  /** The size of the request. */
  int bytes();

  /** The event loop of the call's connection. */
  EventExecutor loop();

  /** Runs the call. Does not throw. */
  void run();

  /** Answers the call with an error. Does not throw. */
  void reject(Rejection reason);
}
