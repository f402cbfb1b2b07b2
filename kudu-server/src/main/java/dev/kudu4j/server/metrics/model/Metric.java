package dev.kudu4j.server.metrics.model;

import java.util.List;
import java.util.Locale;

/**
 * A metric, which every entity of one type has.
 *
 * @param name the name of Apache Kudu's metric with the same meaning
 * @param labels names of the labels that distinguish several values of one entity, such as the
 *     method of a call; empty for most metrics
 * @param unit the unit, in Apache Kudu's words
 * @param label the name as text
 * @param description the meaning, one sentence
 */
public record Metric(
    Entity entity,
    String name,
    List<String> labels,
    Type type,
    String unit,
    Level level,
    String label,
    String description) {
  /** The type of the thing that is measured. */
  public enum Entity {
    SERVER,
    TABLE,
    TABLET;

    /** The word for this constant in URLs and responses. */
    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** How a metric behaves. */
  public enum Type {
    /** Only grows, from 0 at the start of the server. */
    COUNTER,
    /** Goes up and down, or is a word. */
    GAUGE,
    /** Many values, published as count, sum and percentiles. */
    HISTOGRAM;

    /** The word for this type in responses. */
    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** The audience of a metric. A level includes the levels that follow it. */
  public enum Level {
    /** Metrics for the analysis of problems. */
    DEBUG,
    /** Metrics for monitoring. */
    INFO,
    /** Metrics that indicate a problem. */
    WARN;

    /** The word for this constant in URLs and responses. */
    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  public Metric {
    labels = List.copyOf(labels);
  }

  /** The name of the metric with the values of its labels, joined as Apache Kudu does. */
  public String nameWith(List<String> labelValues) {
    return labelValues.isEmpty()
        ? name
        : name + "_" + String.join("_", labelValues).replace('.', '_');
  }

  /**
   * The name for Prometheus, without the suffix for counters. By convention, durations in
   * Prometheus are in seconds.
   */
  public String prometheusName() {
    String base = "kudu_" + entity.word() + "_" + name;
    if (secondsPerUnit() > 0) {
      return base + "_seconds";
    }
    return unit.equals("bytes") && !base.endsWith("_bytes") ? base + "_bytes" : base;
  }

  /** The factor that converts the unit to seconds; 0 if the unit is not a time. */
  public double secondsPerUnit() {
    return switch (unit) {
      case "microseconds" -> 1e-6;
      case "milliseconds" -> 1e-3;
      case "seconds" -> 1;
      default -> 0;
    };
  }
}
