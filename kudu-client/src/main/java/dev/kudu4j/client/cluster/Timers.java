package dev.kudu4j.client.cluster;

import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.common.status.StatusCode;
import io.netty.channel.EventLoopGroup;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Runs delayed tasks on the event loops. A task that is due after the loops have stopped never
 * runs.
 */
final class Timers implements AutoCloseable {
  private final EventLoopGroup loops;
  private final Set<CompletableFuture<?>> betweenSteps = ConcurrentHashMap.newKeySet();
  private volatile boolean closed;

  Timers(EventLoopGroup loops) {
    this.loops = loops;
  }

  /** Schedules a task; the returned future cancels it. */
  Future<?> schedule(Runnable task, long delay, TimeUnit unit) {
    try {
      return loops.next().schedule(task, Math.max(0, delay), unit);
    } catch (RejectedExecutionException e) {
      // the cluster is closed; its calls have failed already
      return CompletableFuture.completedFuture(null);
    }
  }

  /**
   * Runs the next step of an operation after a delay. If the client is closed earlier, the step
   * never runs: {@code waiting} then fails with ABORTED, because it would otherwise never complete.
   */
  @SuppressWarnings("FutureReturnValueIgnored") // the step completes waiting
  void resume(Runnable step, long delayNanos, CompletableFuture<?> waiting) {
    betweenSteps.add(waiting);
    try {
      loops
          .next()
          .schedule(() -> run(step, waiting), Math.max(0, delayNanos), TimeUnit.NANOSECONDS);
    } catch (RejectedExecutionException e) {
      fail(waiting);
    }
    if (closed) { // close() may have missed the new entry
      fail(waiting);
    }
  }

  @SuppressWarnings("CollectionUndefinedEquality") // identity is intended
  private void run(Runnable step, CompletableFuture<?> waiting) {
    betweenSteps.remove(waiting);
    step.run();
  }

  @SuppressWarnings("CollectionUndefinedEquality") // identity is intended
  private void fail(CompletableFuture<?> waiting) {
    betweenSteps.remove(waiting);
    waiting.completeExceptionally(closed());
  }

  /**
   * Fails all operations that wait for a step, because the loops do not report all tasks that they
   * drop.
   */
  @Override
  public void close() {
    closed = true;
    List.copyOf(betweenSteps).forEach(this::fail);
  }

  private static KuduException closed() {
    return KuduException.of(StatusCode.ABORTED, "The client is closed");
  }

  /** Fails {@code waiting} when it is not done by the deadline. */
  void within(CompletableFuture<?> waiting, Deadline deadline, Supplier<KuduException> timedOut) {
    if (waiting.isDone()) {
      return;
    }
    Future<?> timer =
        schedule(
            () -> {
              if (!waiting.isDone()) {
                waiting.completeExceptionally(timedOut.get());
              }
            },
            deadline.nanosLeft(),
            TimeUnit.NANOSECONDS);
    waiting.whenComplete((done, failure) -> timer.cancel(false));
  }
}
