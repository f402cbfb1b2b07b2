package dev.kudu4j.client;

import dev.kudu4j.common.proto.tserver.ResourceMetricsPB;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/** Counters that servers report with their responses, summed by name. Thread-safe. */
public class ResourceMetrics {
  private final Map<String, LongAdder> counters = new ConcurrentHashMap<>();

  /** A copy of all counters by name. */
  public Map<String, Long> get() {
    Map<String, Long> copy = new java.util.HashMap<>();
    counters.forEach((name, count) -> copy.put(name, count.sum()));
    return copy;
  }

  /** One counter; 0 if no server reported it. */
  public long getMetric(String name) {
    LongAdder counter = counters.get(Objects.requireNonNull(name));
    return counter == null ? 0 : counter.sum();
  }

  void increment(String name, long amount) {
    counters.computeIfAbsent(name, key -> new LongAdder()).add(amount);
  }

  void add(ResourceMetricsPB reported) {
    reported.getAllFields().forEach((field, count) -> increment(field.getName(), (Long) count));
  }
}
