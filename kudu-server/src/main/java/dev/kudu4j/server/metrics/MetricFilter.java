package dev.kudu4j.server.metrics;

import dev.kudu4j.server.metrics.model.Metric.Level;
import dev.kudu4j.server.metrics.model.MetricEntity;
import dev.kudu4j.server.web.Query;
import java.util.List;
import java.util.Locale;

/**
 * Selects the metrics of a request to {@code /metrics}, with Apache Kudu's parameters. A name
 * matches a list if it contains one of the words in the list, ignoring case. An empty list matches
 * all names.
 *
 * @param types types of entities: {@code types=server,tablet}
 * @param ids ids of entities: {@code ids=4f2a}
 * @param attributes names and values of attributes, alternating: {@code
 *     attributes=table_name,flights}
 * @param names names of metrics: {@code metrics=rows_,latency}
 * @param level the lowest level to include: {@code level=warn}
 */
record MetricFilter(
    List<String> types,
    List<String> ids,
    List<String> attributes,
    List<String> names,
    Level level) {

  static MetricFilter of(Query query) {
    return new MetricFilter(
        query.list("types"),
        query.list("ids"),
        query.list("attributes"),
        query.list("metrics"),
        query.get("level").map(MetricFilter::level).orElse(Level.DEBUG));
  }

  /** An unknown level selects all levels, as in Apache Kudu. */
  private static Level level(String word) {
    for (Level level : Level.values()) {
      if (level.word().equals(word.toLowerCase(Locale.ROOT))) {
        return level;
      }
    }
    return Level.DEBUG;
  }

  boolean wants(MetricEntity entity) {
    return matches(types, entity.type().word())
        && matches(ids, entity.id())
        && wantsAttributesOf(entity);
  }

  private boolean wantsAttributesOf(MetricEntity entity) {
    if (attributes.isEmpty()) {
      return true;
    }
    for (int i = 0; i + 1 < attributes.size(); i += 2) {
      String value = entity.attributes().get(attributes.get(i));
      if (value != null && matches(List.of(attributes.get(i + 1)), value)) {
        return true;
      }
    }
    return false;
  }

  boolean wants(Level found, String name) {
    return found.compareTo(level) >= 0 && matches(names, name);
  }

  private static boolean matches(List<String> wanted, String name) {
    if (wanted.isEmpty()) {
      return true;
    }
    String lower = name.toLowerCase(Locale.ROOT);
    return wanted.stream()
        .anyMatch(word -> word.equals("*") || lower.contains(word.toLowerCase(Locale.ROOT)));
  }
}
