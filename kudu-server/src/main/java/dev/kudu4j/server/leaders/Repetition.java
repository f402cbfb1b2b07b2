package dev.kudu4j.server.leaders;

import dev.kudu4j.common.status.Failures;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.common.status.StatusCode;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;

/**
 * Repeats an attempt, with growing pauses, until it succeeds, fails for good, or a deadline passes.
 */
final class Repetition<R> {
  private static final long FIRST_PAUSE_MILLIS = 5;
  private static final long MAX_PAUSE_MILLIS = 500;

  /** The failure of an attempt that should be repeated. */
  static final class Again extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final KuduException failure;

    Again(KuduException failure) {
      super(failure);
      this.failure = failure;
    }
  }

  private final IntFunction<CompletableFuture<R>> attempt;
  private final long deadlineNanos;
  private final ScheduledExecutorService timer;
  private final CompletableFuture<R> result = new CompletableFuture<>();

  private Repetition(
      IntFunction<CompletableFuture<R>> attempt,
      long deadlineNanos,
      ScheduledExecutorService timer) {
    this.attempt = attempt;
    this.deadlineNanos = deadlineNanos;
    this.timer = timer;
  }

  /**
   * @param attempt makes the attempt of this number, which counts from 0; fails with {@link Again}
   *     if it should be repeated
   */
  static <R> CompletableFuture<R> of(
      IntFunction<CompletableFuture<R>> attempt,
      long deadlineNanos,
      ScheduledExecutorService timer) {
    Repetition<R> repetition = new Repetition<>(attempt, deadlineNanos, timer);
    repetition.begin(0);
    return repetition.result;
  }

  private void begin(int number) {
    CompletableFuture<R> made;
    try {
      made = attempt.apply(number);
    } catch (RuntimeException e) {
      made = CompletableFuture.failedFuture(e);
    }
    made.whenComplete((answer, failure) -> ended(number, answer, failure));
  }

  private void ended(int number, R answer, Throwable failure) {
    if (failure == null) {
      result.complete(answer);
      return;
    }
    Throwable cause = Failures.unwrap(failure);
    if (!(cause instanceof Again again)) {
      result.completeExceptionally(cause);
      return;
    }
    long pauseMillis = Math.min(MAX_PAUSE_MILLIS, FIRST_PAUSE_MILLIS << Math.min(number, 8));
    if (System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(pauseMillis) - deadlineNanos > 0) {
      result.completeExceptionally(timedOut(again.failure));
      return;
    }
    try {
      timer.schedule(() -> begin(number + 1), pauseMillis, TimeUnit.MILLISECONDS);
    } catch (RejectedExecutionException e) {
      result.completeExceptionally(again.failure); // the server is closing
    }
  }

  private static KuduException timedOut(KuduException last) {
    return new KuduException(
        StatusCode.TIMED_OUT, "No leader answered in time; the last failure: " + last.getMessage());
  }
}
