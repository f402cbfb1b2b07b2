package dev.kudu4j.itest.pages;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** What {@code /metrics} of some servers says at one moment. */
final class Numbers {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final List<JsonNode> entities = new ArrayList<>();

  /**
   * @param query such as {@code ?types=tablet}; empty for everything
   */
  static Numbers of(Site site, List<String> servers, String query) throws Exception {
    Numbers numbers = new Numbers();
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
   * A number of a table's tablets, each counted once: the replica that is furthest, which is the
   * leader's.
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

  /** A number of a table, as the master has it. */
  long ofTable(String table, String name) {
    return entities("table", table).stream()
        .mapToLong(entity -> metric(entity, name).get("value").asLong())
        .sum();
  }

  /** A field of what all servers tell of one thing: a value, or how many there were. */
  long ofServers(String name, String field) {
    return entities("server", "").stream()
        .map(entity -> metric(entity, name))
        .filter(metric -> metric != null)
        .mapToLong(metric -> metric.get(field).asLong())
        .sum();
  }

  /** The names that entities of a type have. */
  Set<String> names(String type) {
    Set<String> names = new TreeSet<>();
    for (JsonNode entity : entities(type, "")) {
      entity.get("metrics").forEach(metric -> names.add(metric.get("name").asText()));
    }
    return names;
  }
}
