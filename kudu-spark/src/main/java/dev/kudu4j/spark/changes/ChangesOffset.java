package dev.kudu4j.spark.changes;

import java.util.Collection;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.spark.sql.connector.read.streaming.Offset;

/**
 * A place between the changes of a table: all with a lower timestamp are before it.
 *
 * <pre>
 *   {"version":7354981982208000000,"tablets":["0f3a...","9b01..."]}
 * </pre>
 */
final class ChangesOffset extends Offset {
  private static final Pattern JSON =
      Pattern.compile("\\{\"version\":(\\d{1,19}),\"tablets\":\\[(.*)]}");

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
   * @throws IllegalArgumentException for text that is no offset
   */
  static ChangesOffset parse(String json) {
    Matcher offset = JSON.matcher(json.strip());
    if (!offset.matches()) {
      throw new IllegalArgumentException(
          "The checkpoint has an offset that is not one of the changes of a Kudu table: " + json);
    }
    Set<String> tablets = new TreeSet<>();
    for (String quoted : offset.group(2).split(",")) {
      if (!quoted.isBlank()) {
        tablets.add(quoted.strip().replace("\"", ""));
      }
    }
    return new ChangesOffset(Long.parseLong(offset.group(1)), tablets);
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
    return "{\"version\":"
        + timestamp
        + ",\"tablets\":"
        + tablets.stream().map(id -> '"' + id + '"').collect(Collectors.joining(",", "[", "]"))
        + "}";
  }
}
