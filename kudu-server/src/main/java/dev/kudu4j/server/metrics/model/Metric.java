package dev.kudu4j.server.metrics.model;

import java.util.List;
import java.util.Locale;

/**
 * One thing that is measured, of every entity of a kind.
 *
 * @param name Apache Kudu's, where it measures the same
 * @param labels names of what further tells numbers of one entity apart, such as the method of a
 *     call; nearly always empty
 * @param unit Apache Kudu's word for it
 * @param label the name in words
 * @param description one sentence
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
  /** What a number is about. */
  public enum Entity {
    SERVER,
    TABLE,
    TABLET;

    /** As it stands in addresses and answers. */
    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** How a number behaves. */
  public enum Type {
    /** Only grows, from 0 at the start of the server. */
    COUNTER,
    /** Goes up and down; or a word. */
    GAUGE,
    /** Many values, of which count, sum and percentiles are told. */
    HISTOGRAM;

    /** As it stands in answers. */
    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** Who needs the number; each level has those after it too. */
  public enum Level {
    /** Who looks for a cause. */
    DEBUG,
    /** Who watches. */
    INFO,
    /** Whoever is in charge: it tells of trouble. */
    WARN;

    /** As it stands in addresses and answers. */
    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  public Metric {
    labels = List.copyOf(labels);
  }

  /** The name with its labels' values, as Apache Kudu joins them. */
  public String nameWith(List<String> labelValues) {
    return labelValues.isEmpty()
        ? name
        : name + "_" + String.join("_", labelValues).replace('.', '_');
  }

  /**
   * The name for Prometheus, without the suffix that it gives to counters. What is measured in
   * parts of seconds is told in seconds there, by its convention.
   */
  public String prometheusName() {
    String base = "kudu_" + entity.word() + "_" + name;
    if (secondsPerUnit() > 0) {
      return base + "_seconds";
    }
    return unit.equals("bytes") && !base.endsWith("_bytes") ? base + "_bytes" : base;
  }

  /** What to multiply with to get seconds; 0 for what is no time. */
  public double secondsPerUnit() {
    return switch (unit) {
      case "microseconds" -> 1e-6;
      case "milliseconds" -> 1e-3;
      case "seconds" -> 1;
      default -> 0;
    };
  }
}
