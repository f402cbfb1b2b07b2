package dev.kudu4j.tools.perf;

import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.common.status.StatusCode;
import dev.kudu4j.tools.console.Counter;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;

/** Runs tasks on threads, while the calling thread shows the progress. */
final class Workers {
  private static final long LOOK_MILLIS = 200;

  private Workers() {}

  /**
   * Runs all tasks. After a failure, no further tasks are started.
   *
   * @param threads the number of threads, at least one
   * @param rows returns the number of rows done so far, for the progress
   * @return the results, in the order of the tasks
   * @throws IOException the failure of the first task that failed
   */
  static <T> List<T> run(
      int threads, List<? extends Callable<T>> tasks, LongSupplier rows, Counter counter)
      throws IOException {
    ExecutorService pool =
        Executors.newFixedThreadPool(
            threads,
            run -> {
              Thread thread = new Thread(run, "perf");
              thread.setDaemon(true);
              return thread;
            });
    try {
      List<Future<T>> running = new ArrayList<>();
      tasks.forEach(task -> running.add(pool.submit(task)));
      List<T> results = new ArrayList<>();
      for (Future<T> each : running) {
        results.add(await(each, rows, counter));
      }
      return results;
    } finally {
      pool.shutdownNow();
    }
  }

  private static <T> T await(Future<T> task, LongSupplier rows, Counter counter)
      throws IOException {
    while (true) {
      try {
        return task.get(LOOK_MILLIS, TimeUnit.MILLISECONDS);
      } catch (TimeoutException e) {
        counter.at(rows.getAsLong());
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new KuduException(StatusCode.ABORTED, "Interrupted", e);
      } catch (ExecutionException e) {
        throw failure(e.getCause());
      }
    }
  }

  private static IOException failure(Throwable cause) {
    if (cause instanceof RuntimeException unchecked) {
      throw unchecked;
    }
    return cause instanceof IOException checked ? checked : new IOException(cause);
  }
}
