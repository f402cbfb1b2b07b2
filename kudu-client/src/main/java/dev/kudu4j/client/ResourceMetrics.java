package dev.kudu4j.client;

import com.google.protobuf.Descriptors.FieldDescriptor;
import dev.kudu4j.common.proto.tserver.ResourceMetricsPB;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Counters that servers keep of the work they do for a session or a scanner. Thread-safe. */
public final class ResourceMetrics {
  private final Map<String, Long> metrics = new ConcurrentHashMap<>();

  public ResourceMetrics() {}

  /** All counters, by name. */
  public Map<String, Long> get() {
    return Map.copyOf(metrics);
  }

  /** The counter, 0 when nothing was counted. */
  public long getMetric(String name) {
    return metrics.getOrDefault(name, 0L);
  }

  /** Adds what one answer tells. */
  void add(ResourceMetricsPB counted) {
    for (Map.Entry<FieldDescriptor, Object> field : counted.getAllFields().entrySet()) {
      metrics.merge(field.getKey().getName(), (Long) field.getValue(), Long::sum);
    }
  }
}
