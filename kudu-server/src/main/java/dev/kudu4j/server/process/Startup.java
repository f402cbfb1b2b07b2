package dev.kudu4j.server.process;

import dev.kudu4j.server.metrics.model.MetricCatalog;
import dev.kudu4j.server.metrics.model.MetricEntity;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The steps of a server's start: the state, progress and duration of each.
 *
 * <p>The page {@code /startup} and the metrics {@code startup_progress_...} show these steps.
 * {@link Health}, not this class, reports whether the server serves. A step begins when it is
 * added; steps may run concurrently. Thread-safe.
 */
public final class Startup {
  /**
   * The progress of a step.
   *
   * @param done the number of things that are done
   * @param things the name of the counted things, such as {@code tablets}
   */
  public record Progress(int done, int total, String things) {}

  /** One step. */
  static final class Step {
    private final String title;
    private final Supplier<Optional<Progress>> progress;
    private final long beginNanos;
    private volatile @Nullable End end; // null while the step runs

    private record End(long nanos, @Nullable Throwable failure) {}

    private Step(String title, Supplier<Optional<Progress>> progress, long beginNanos) {
      this.title = title;
      this.progress = progress;
      this.beginNanos = beginNanos;
    }

    String title() {
      return title;
    }

    Optional<Progress> progress() {
      return progress.get();
    }

    boolean isDone() {
      End now = end;
      return now != null && now.failure == null;
    }

    /** The failure of the step; empty while it runs and after it has succeeded. */
    Optional<Throwable> failure() {
      End now = end;
      return now == null ? Optional.empty() : Optional.ofNullable(now.failure);
    }
  }

  private final LongSupplier nanos;
  private final long beginNanos;
  private final List<Step> steps = new CopyOnWriteArrayList<>();

  Startup(LongSupplier nanos) {
    this.nanos = nanos;
    this.beginNanos = nanos.getAsLong();
  }

  /** Runs a step in the calling thread. */
  void run(String title, Runnable work) {
    make(
        title,
        () -> {
          work.run();
          return null;
        });
  }

  /** Runs a step with a result in the calling thread. */
  <T extends @Nullable Object> T make(String title, Supplier<T> work) {
    Step step = add(title, Optional::empty);
    try {
      T result = work.get();
      end(step, null);
      return result;
    } catch (RuntimeException e) {
      end(step, e);
      throw e;
    }
  }

  /**
   * Adds a step that runs in the background.
   *
   * @param done completes when the step has ended
   */
  public void watch(String title, CompletableFuture<?> done) {
    watch(add(title, Optional::empty), done);
  }

  /**
   * Adds a step that runs in the background.
   *
   * @param done completes when the step has ended
   * @param progress the progress of the step; must be cheap
   */
  public void watch(String title, CompletableFuture<?> done, Supplier<Progress> progress) {
    watch(add(title, () -> Optional.of(progress.get())), done);
  }

  private void watch(Step step, CompletableFuture<?> done) {
    done.whenComplete((result, failure) -> end(step, failure));
  }

  private Step add(String title, Supplier<Optional<Progress>> progress) {
    Step step = new Step(title, progress, nanos.getAsLong());
    steps.add(step);
    return step;
  }

  private void end(Step step, @Nullable Throwable failure) {
    Throwable cause =
        failure instanceof CompletionException && failure.getCause() != null
            ? failure.getCause()
            : failure;
    step.end = new Step.End(nanos.getAsLong(), cause);
  }

  /** All steps in the order in which they began. */
  List<Step> steps() {
    return List.copyOf(steps);
  }

  /** The number of steps that have not succeeded yet. */
  int remaining() {
    return (int) steps.stream().filter(step -> !step.isDone()).count();
  }

  /** The time from the beginning of the start to the beginning of the step. */
  long offsetNanos(Step step) {
    return step.beginNanos - beginNanos;
  }

  /** The duration of the step, until its end or until now. */
  long tookNanos(Step step) {
    return endNanos(step) - step.beginNanos;
  }

  /** The duration of the start: until now, or until the last step ended if all steps have ended. */
  long elapsedNanos() {
    return steps.stream().mapToLong(step -> endNanos(step) - beginNanos).max().orElse(0);
  }

  private long endNanos(Step step) {
    Step.End end = step.end;
    return end == null ? nanos.getAsLong() : end.nanos;
  }

  void measure(MetricEntity.Readings readings) {
    readings.add(MetricCatalog.STARTUP_PROGRESS_STEPS_REMAINING, remaining());
    readings.add(
        MetricCatalog.STARTUP_PROGRESS_TIME_ELAPSED, TimeUnit.NANOSECONDS.toMillis(elapsedNanos()));
  }
}
