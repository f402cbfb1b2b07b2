package dev.kudu4j.tools.perf;

import dev.kudu4j.client.KuduClient;
import dev.kudu4j.client.KuduTable;
import dev.kudu4j.tools.console.Counter;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.LongAdder;

/** Runs all threads of {@code loadgen} with one kind of operation, and reports the result. */
final class LoadPhase {
  private static final double NANOS_PER_MILLI = 1e6;

  private final LoadOperation operation;
  private final List<LoadThread.Outcome> outcomes;
  private final double millis;

  private LoadPhase(LoadOperation operation, List<LoadThread.Outcome> outcomes, double millis) {
    this.operation = operation;
    this.outcomes = outcomes;
    this.millis = millis;
  }

  /** Runs the threads, and returns when all of them are done or have failed. */
  static LoadPhase run(
      KuduClient client, KuduTable table, LoadOperation operation, LoadgenOptions options)
      throws IOException {
    LongAdder rows = new LongAdder();
    List<LoadThread> threads = new ArrayList<>();
    for (int i = 0; i < options.threads; i++) {
      threads.add(new LoadThread(client, table, operation, options, i, rows));
    }
    long start = System.nanoTime();
    try (Counter counter = Counter.rows("loadgen")) {
      List<LoadThread.Outcome> outcomes = Workers.run(options.threads, threads, rows::sum, counter);
      return new LoadPhase(operation, outcomes, (System.nanoTime() - start) / NANOS_PER_MILLI);
    }
  }

  long rows() {
    return outcomes.stream().mapToLong(LoadThread.Outcome::rows).sum();
  }

  private long errors() {
    return outcomes.stream().mapToLong(LoadThread.Outcome::errors).sum();
  }

  /**
   * Prints the report in the layout of Apache Kudu's tool. Times per row are not meaningful if rows
   * failed.
   */
  void report(PrintWriter out) {
    out.printf("%n%s report%n", operation);
    out.printf(Locale.ROOT, "    rows total: %d%n", rows());
    out.printf(Locale.ROOT, "    time total: %.3f ms%n", millis);
    if (rows() > 0 && errors() == 0) {
      out.printf(Locale.ROOT, "  time per row: %.6f ms%n", millis / rows());
      out.printf(Locale.ROOT, "  rows per sec: %.0f%n", rows() * 1000 / millis);
    }
    out.flush();
  }

  /** Prints the errors that were requested. */
  void reportErrors(PrintWriter err) {
    for (int i = 0; i < outcomes.size(); i++) {
      List<String> shown = outcomes.get(i).shown();
      if (!shown.isEmpty()) {
        err.printf(Locale.ROOT, "Errors of thread %d:%n", i);
        shown.forEach(error -> err.println("  " + error));
      }
    }
    err.flush();
  }

  /**
   * @throws IOException if a thread failed or a row was rejected
   */
  void demandSuccess() throws IOException {
    for (LoadThread.Outcome outcome : outcomes) {
      if (outcome.failure() != null) {
        throw outcome.failure();
      }
    }
    if (errors() > 0) {
      boolean shown = outcomes.stream().anyMatch(outcome -> !outcome.shown().isEmpty());
      throw new IOException(
          "%d of %d rows were rejected%s"
              .formatted(
                  errors(), rows(), shown ? "" : "; --show_first_n_errors=5 shows the errors"));
    }
  }
}
