package dev.kudu4j.server.metrics.model;

import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Something that numbers are about: the server, a table, a tablet.
 *
 * @param attributes what else is known of it, such as a tablet's table; they become labels
 * @param measure tells all numbers, as they are now; cheap, but not free
 */
public record MetricEntity(
    Metric.Entity type, String id, Map<String, String> attributes, Consumer<Readings> measure) {

  /** Where an entity tells its numbers. */
  public interface Readings {
    /** A whole number. */
    void add(Metric metric, long value);

    /** A number with a fraction. */
    void add(Metric metric, double value);

    /** A word, such as a state. */
    void add(Metric metric, String word);

    /** Many values. */
    default void add(Metric metric, Distribution values) {
      add(metric, List.of(), values);
    }

    /** Many values of one part of the entity, which the labels' values name. */
    void add(Metric metric, List<String> labels, Distribution values);
  }
}
