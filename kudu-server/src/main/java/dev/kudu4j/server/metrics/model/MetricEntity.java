package dev.kudu4j.server.metrics.model;

import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Something that metrics describe: the server, a table or a tablet.
 *
 * @param attributes further properties, such as the table of a tablet; they become labels in
 *     Prometheus
 * @param measure reports all current values
 */
public record MetricEntity(
    Metric.Entity type, String id, Map<String, String> attributes, Consumer<Readings> measure) {

  /** Receives the values of the metrics of an entity. */
  public interface Readings {
    /** Receives an integer. */
    void add(Metric metric, long value);

    /** Receives a number with a fraction. */
    void add(Metric metric, double value);

    /** Receives a word, such as a state. */
    void add(Metric metric, String word);

    /** Receives a distribution of values. */
    default void add(Metric metric, Distribution values) {
      add(metric, List.of(), values);
    }

    /**
     * Receives a distribution of values of a part of the entity, such as one method of a server.
     * {@code labels} holds the values of the labels that identify this part.
     */
    void add(Metric metric, List<String> labels, Distribution values);
  }
}
