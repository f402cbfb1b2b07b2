package dev.kudu4j.benchmarks.client;

import static dev.kudu4j.benchmarks.client.Measure.ALLOCATED;
import static dev.kudu4j.benchmarks.client.Measure.CPU;
import static dev.kudu4j.benchmarks.client.Measure.P50;
import static dev.kudu4j.benchmarks.client.Measure.P99;
import static dev.kudu4j.benchmarks.client.Measure.RATE;

import java.util.List;

/**
 * The tasks of a client, in the order in which they run. A task that only Kudu4j's client supports
 * is compared with the best figures of the published client's tasks that do the same work.
 */
enum Task {
  INSERT_1("bulk insert, 1 thread", List.of(RATE, CPU, ALLOCATED)),
  INSERT_2("bulk insert, 2 threads", List.of(RATE, CPU, ALLOCATED)),
  ONE_CELL_ROWWISE("scan, one cell of a row read, rowwise", List.of(RATE, CPU, ALLOCATED)),
  ONE_CELL_COLUMNAR("scan, one cell of a row read, columnar", List.of(RATE, CPU, ALLOCATED)),
  ONE_CELL_ARROW(
      "scan, one cell of a row read, Arrow",
      List.of(RATE, CPU, ALLOCATED),
      ONE_CELL_ROWWISE,
      ONE_CELL_COLUMNAR),
  EVERY_CELL_ROWWISE("scan, every cell read, rowwise", List.of(RATE, CPU, ALLOCATED)),
  EVERY_CELL_COLUMNAR("scan, every cell read, columnar", List.of(RATE, CPU, ALLOCATED)),
  EVERY_CELL_ARROW(
      "scan, every cell read, Arrow",
      List.of(RATE, CPU, ALLOCATED),
      EVERY_CELL_ROWWISE,
      EVERY_CELL_COLUMNAR),
  SINGLE_INSERT("single-row insert", List.of(P50, P99, CPU, ALLOCATED)),
  LOOK_UP("row by key, scan", List.of(P50, P99, CPU, ALLOCATED)),
  GET("row by key, get", List.of(P50, P99, CPU, ALLOCATED), LOOK_UP),
  LOOK_UP_AT_ONCE("rows by key, scans of 16 threads", List.of(RATE, CPU, ALLOCATED)),
  GET_ALL("rows by key, getAll", List.of(RATE, CPU, ALLOCATED), LOOK_UP_AT_ONCE);

  private final String title;

  @SuppressWarnings("ImmutableEnumChecker")
  private final List<Measure> measures;

  @SuppressWarnings("ImmutableEnumChecker")
  private final List<Task> publishedCounterparts;

  Task(String title, List<Measure> measures, Task... publishedCounterparts) {
    this.title = title;
    this.measures = measures;
    this.publishedCounterparts = List.of(publishedCounterparts);
  }

  String title() {
    return title;
  }

  List<Measure> measures() {
    return measures;
  }

  /**
   * The published client's tasks for the same work; empty if the published client supports this
   * task.
   */
  List<Task> publishedCounterparts() {
    return publishedCounterparts;
  }

  /** Whether the task creates and loads a new table. */
  boolean loads() {
    return this == INSERT_1 || this == INSERT_2;
  }
}
