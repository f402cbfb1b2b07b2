package dev.kudu4j.itest.pages;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** Values of {@code /metrics} on several servers at one point in time. */
final class MetricsSnapshot {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final List<JsonNode> entities = new ArrayList<>();

  /**
   * @param query such as {@code ?types=tablet}; empty for everything
   */
  static MetricsSnapshot of(Site site, List<String> servers, String query) throws Exception {
    MetricsSnapshot numbers = new MetricsSnapshot();
    for (String server : servers) {
      JSON.readTree(site.get(server + "/metrics" + query).text()).forEach(numbers.entities::add);
    }
    return numbers;
  }

  private static JsonNode metric(JsonNode entity, String name) {
    for (JsonNode metric : entity.get("metrics")) {
      if (metric.get("name").asText().equals(name)) {
        return metric;
      }
    }
    return null;
  }

  private List<JsonNode> entities(String type, String table) {
    return entities.stream()
        .filter(entity -> entity.get("type").asText().equals(type))
        .filter(
            entity ->
                table.isEmpty()
                    || entity.get("attributes").get("table_name").asText().equals(table))
        .toList();
  }

  /**
   * A value of a table's tablets. Each tablet counts once, with the replica that has the highest
   * value, which is the leader's.
   */
  long ofTablets(String table, String name) {
    Map<String, Long> furthest = new HashMap<>();
    for (JsonNode entity : entities("tablet", table)) {
      furthest.merge(
          entity.get("id").asText(), metric(entity, name).get("value").asLong(), Math::max);
    }
    return furthest.values().stream().mapToLong(Long::longValue).sum();
  }

  /** A number over all replicas. */
  long ofReplicas(String table, String name) {
    return entities("tablet", table).stream()
        .mapToLong(entity -> metric(entity, name).get("value").asLong())
        .sum();
  }

  /** A value of a table, from the master. */
  long ofTable(String table, String name) {
    return entities("table", table).stream()
        .mapToLong(entity -> metric(entity, name).get("value").asLong())
        .sum();
  }

  /** A field summed over all servers: a value, or the count of a histogram. */
  long ofServers(String name, String field) {
    return entities("server", "").stream()
        .map(entity -> metric(entity, name))
        .filter(metric -> metric != null)
        .mapToLong(metric -> metric.get(field).asLong())
        .sum();
  }

  /** The names of all entities of a type. */
  Set<String> names(String type) {
    Set<String> names = new TreeSet<>();
    for (JsonNode entity : entities(type, "")) {
      entity.get("metrics").forEach(metric -> names.add(metric.get("name").asText()));
    }
    return names;
  }
}
