package dev.kudu4j.client.cluster;

import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.common.status.StatusCode;
import io.netty.channel.EventLoopGroup;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** Runs things later, on the event loops. What is due after the loops have stopped never runs. */
final class Timers {
  private final EventLoopGroup loops;

  Timers(EventLoopGroup loops) {
    this.loops = loops;
  }

  /** A future by which the task can be taken back. */
  Future<?> schedule(Runnable task, long delay, TimeUnit unit) {
    try {
      return loops.next().schedule(task, Math.max(0, delay), unit);
    } catch (RejectedExecutionException e) {
      // the cluster is closed; its calls have failed already
      return CompletableFuture.completedFuture(null);
    }
  }

  /**
   * Runs the next step of what somebody waits for. When the loops stop before, there will be no
   * step any more: {@code waiting} fails with ABORTED, or it would be waited for without end.
   */
  @SuppressWarnings("FutureReturnValueIgnored") // the listener tells
  void resume(Runnable step, long delayNanos, CompletableFuture<?> waiting) {
    try {
      loops
          .next()
          .schedule(step, Math.max(0, delayNanos), TimeUnit.NANOSECONDS)
          .addListener(
              done -> {
                if (done.isCancelled()) {
                  waiting.completeExceptionally(closed());
                }
              });
    } catch (RejectedExecutionException e) {
      waiting.completeExceptionally(closed());
    }
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
