package dev.kudu4j.server.metrics;

import dev.kudu4j.server.metrics.model.Metric.Level;
import dev.kudu4j.server.metrics.model.MetricEntity;
import dev.kudu4j.server.web.Query;
import java.util.List;
import java.util.Locale;

/**
 * Which numbers a reader of {@code /metrics} wants, asked for as Apache Kudu is asked. Of each list
 * one word has to be a part of the name, in whatever case; an empty list asks for all.
 *
 * @param types of entities: {@code types=server,tablet}
 * @param ids of entities: {@code ids=4f2a}
 * @param attributes names and values in turn: {@code attributes=table_name,flights}
 * @param names of metrics: {@code metrics=rows_,latency}
 * @param level the least: {@code level=warn}
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

  /** What is no level asks for all, as it does there. */
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
