package dev.kudu4j.benchmarks.breakup;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The mean durations of the parts of an operation, in microseconds, in the order of their
 * occurrence.
 *
 * @param title the operation
 * @param spans durations on the server, by the name of the span
 * @param totalMicros duration as the client measured it
 */
record Breakup(String title, Map<String, Double> spans, double totalMicros) {
  static final String REST = "network and client";

  Breakup {
    spans = new LinkedHashMap<>(spans);
  }

  /** The part of the client's time that is in no span of the server. */
  double restMicros() {
    double known = spans.values().stream().mapToDouble(Double::doubleValue).sum();
    return Math.max(0, totalMicros - known);
  }
}
