package dev.kudu4j.spark.changes;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Collection;
import java.util.Set;
import java.util.TreeSet;
import org.apache.spark.sql.connector.read.streaming.Offset;

/**
 * A place between the changes of a table: all with a lower timestamp are before it.
 *
 * <pre>
 *   {"version":7354981982208000000,"tablets":["0f3a...","9b01..."]}
 * </pre>
 */
final class ChangesOffset extends Offset {
  private static final String VERSION = "version";
  private static final String TABLETS = "tablets";
  private static final int FIELDS = 2;

  private static final ObjectMapper JSON =
      new ObjectMapper().enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);

  private final long timestamp;
  private final Set<String> tablets;

  private ChangesOffset(long timestamp, Collection<String> tablets) {
    this.timestamp = timestamp;
    this.tablets = new TreeSet<>(tablets);
  }

  /**
   * @param timestamp hybrid time
   * @param tablets the ids of the tablets that the table had; one that is missing is new after this
   *     offset, and has all its changes behind it
   */
  static ChangesOffset at(long timestamp, Collection<String> tablets) {
    return new ChangesOffset(timestamp, tablets);
  }

  /**
   * @throws IllegalArgumentException for text that is no offset, also for an offset with other
   *     fields, which may mean something
   */
  static ChangesOffset parse(String json) {
    try {
      JsonNode offset = JSON.readTree(json);
      JsonNode version = offset.path(VERSION);
      JsonNode tablets = offset.path(TABLETS);
      if (offset.size() != FIELDS || !isTime(version) || !tablets.isArray()) {
        throw noOffset(json, null);
      }
      Set<String> ids = new TreeSet<>();
      for (JsonNode id : tablets) {
        if (!id.isTextual()) {
          throw noOffset(json, null);
        }
        ids.add(id.textValue());
      }
      return new ChangesOffset(version.longValue(), ids);
    } catch (JsonProcessingException e) {
      throw noOffset(json, e);
    }
  }

  private static boolean isTime(JsonNode value) {
    return value.isIntegralNumber() && value.canConvertToLong() && value.longValue() >= 0;
  }

  private static IllegalArgumentException noOffset(String json, Throwable cause) {
    return new IllegalArgumentException(
        "The checkpoint has an offset that is not one of the changes of a Kudu table: " + json,
        cause);
  }

  long timestamp() {
    return timestamp;
  }

  Set<String> tablets() {
    return tablets;
  }

  boolean hasTablets(Collection<String> others) {
    return tablets.equals(Set.copyOf(others));
  }

  boolean knows(String tablet) {
    return tablets.contains(tablet);
  }

  @Override
  public String json() {
    ObjectNode offset = JSON.createObjectNode().put(VERSION, timestamp);
    ArrayNode ids = offset.putArray(TABLETS);
    tablets.forEach(ids::add);
    return offset.toString();
  }
}
