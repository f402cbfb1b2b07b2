package dev.kudu4j.server.metrics.model;

import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Something that metrics describe: the server, a table or a tablet.
 *
 * @param attributes further properties, such as the table of a tablet; they become labels
 * @param measure reports all current values; it is cheap, but not free
 */
public record MetricEntity(
    Metric.Entity type, String id, Map<String, String> attributes, Consumer<Readings> measure) {

  /** Receives the values of the metrics of an entity. */
  public interface Readings {
    /** An integer. */
    void add(Metric metric, long value);

    /** A number with a fraction. */
    void add(Metric metric, double value);

    /** A word, such as a state. */
    void add(Metric metric, String word);

    /** A distribution of values. */
    default void add(Metric metric, Distribution values) {
      add(metric, List.of(), values);
    }

    /**
     * A distribution of values of the part of the entity that the values of the labels identify.
     */
    void add(Metric metric, List<String> labels, Distribution values);
  }
}
