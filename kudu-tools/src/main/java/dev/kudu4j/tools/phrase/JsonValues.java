package dev.kudu4j.tools.phrase;

import com.fasterxml.jackson.databind.JsonNode;
import dev.kudu4j.ColumnSchema;
import dev.kudu4j.Type;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.tools.cell.CellReader;
import dev.kudu4j.tools.cell.TypeText;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Parses values of columns in the format of Apache Kudu's tool: a JSON array with one value for
 * each column, in order. Text, dates and binary values are strings; timestamps are microseconds or
 * strings.
 */
public final class JsonValues {
  private JsonValues() {}

  /**
   * The values, each as {@link CellReader} returns it.
   *
   * @param what description of the array, for messages
   * @throws KuduException INVALID_ARGUMENT with the column whose value is missing or invalid
   */
  public static List<Object> read(String what, String text, List<ColumnSchema> columns) {
    JsonNode array = Json.parse(what, text);
    if (!array.isArray()) {
      throw KuduException.invalidArgument(
          "%s is %s; it must be a JSON array with a value for each column: %s",
          what, array, names(columns));
    }
    if (array.size() != columns.size()) {
      String missing =
          array.size() < columns.size()
              ? "; column " + columns.get(array.size()).getName() + " has none"
              : "";
      throw KuduException.invalidArgument(
          "%s has %d values%s; it must have %d: %s",
          what, array.size(), missing, columns.size(), names(columns));
    }
    List<Object> values = new ArrayList<>();
    for (int i = 0; i < columns.size(); i++) {
      values.add(read(what, columns.get(i), array.get(i)));
    }
    return values;
  }

  private static String names(List<ColumnSchema> columns) {
    return columns.stream()
        .map(column -> column.getName() + " " + TypeText.of(column))
        .collect(Collectors.joining(", "));
  }

  private static Object read(String what, ColumnSchema column, JsonNode node) {
    if (column.getType() == Type.DATE && node.isIntegralNumber()) {
      return date(what, column, node);
    }
    String right =
        switch (column.getType()) {
          case INT8, INT16, INT32, INT64 -> node.isIntegralNumber() ? "" : "an integer";
          case BOOL -> node.isBoolean() ? "" : "true or false";
          case FLOAT, DOUBLE, DECIMAL -> node.isNumber() || node.isTextual() ? "" : "a number";
          case UNIXTIME_MICROS ->
              node.isIntegralNumber() || node.isTextual() ? "" : "microseconds or a string";
          default -> node.isTextual() ? "" : "a string";
        };
    if (!right.isEmpty()) {
      throw bad(what, column, node, right);
    }
    try {
      return CellReader.read(column, node.asText());
    } catch (KuduException e) {
      throw new KuduException(e.code(), what + ": " + e.getMessage(), e);
    }
  }

  /** Apache Kudu's tool represents dates as days since 1970. */
  private static java.sql.Date date(String what, ColumnSchema column, JsonNode days) {
    try {
      return java.sql.Date.valueOf(LocalDate.ofEpochDay(days.longValue()));
    } catch (DateTimeException e) {
      throw bad(what, column, days, "days since 1970 or a date such as \"2013-01-01\"");
    }
  }

  private static KuduException bad(String what, ColumnSchema column, JsonNode node, String right) {
    return KuduException.invalidArgument(
        "%s: column %s is %s: %s is invalid; it must be %s",
        what, column.getName(), TypeText.of(column), node, right);
  }
}
