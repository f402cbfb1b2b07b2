package dev.kudu4j.server.metrics.model;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * Maps the names of metrics to values; the value of a histogram is its count. Text metrics are
 * omitted.
 */
public final class RecordedReadings implements MetricEntity.Readings {
  private final Map<String, Long> numbers = new TreeMap<>();

  private RecordedReadings() {}

  /** Takes the readings once. */
  public static Map<String, Long> of(Consumer<MetricEntity.Readings> measure) {
    RecordedReadings readings = new RecordedReadings();
    measure.accept(readings);
    return readings.numbers;
  }

  @Override
  public void add(Metric metric, long value) {
    numbers.put(metric.name(), value);
  }

  @Override
  public void add(Metric metric, double value) {
    numbers.put(metric.name(), (long) value);
  }

  @Override
  public void add(Metric metric, String word) {}

  @Override
  public void add(Metric metric, List<String> labels, Distribution values) {
    numbers.put(metric.nameWith(labels), values.count());
  }
}
