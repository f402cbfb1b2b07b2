package dev.kudu4j.tools.phrase;

import com.fasterxml.jackson.databind.JsonNode;
import dev.kudu4j.client.KuduPredicate.ComparisonOp;
import dev.kudu4j.common.status.KuduException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Parses conditions in the format of Apache Kudu's tool: {@code ["AND", [">=", "id", 5],
 * ["NOTNULL", "name"]]}.
 */
public final class PredicateJson {
  private static final Map<String, ComparisonOp> OPERATORS =
      Map.of(
          "=", ComparisonOp.EQUAL,
          "<", ComparisonOp.LESS,
          "<=", ComparisonOp.LESS_EQUAL,
          ">", ComparisonOp.GREATER,
          ">=", ComparisonOp.GREATER_EQUAL);

  private PredicateJson() {}

  /**
   * @throws KuduException INVALID_ARGUMENT with the part that is invalid
   */
  public static List<Condition> parse(String text) {
    List<Condition> conditions = new ArrayList<>();
    add(Json.parse("--predicates", text), conditions);
    return conditions;
  }

  private static void add(JsonNode node, List<Condition> into) {
    if (!node.isArray() || node.isEmpty() || !node.get(0).isTextual()) {
      throw bad(
          node, "it must be an array that starts with an operator, such as [\">=\", \"id\", 5]");
    }
    String operator = node.get(0).asText().toUpperCase(Locale.ROOT);
    switch (operator) {
      case "AND" -> {
        for (int i = 1; i < node.size(); i++) {
          add(node.get(i), into);
        }
      }
      case "NULL" -> into.add(new Condition.Nullness(column(node, 2), true));
      case "NOTNULL" -> into.add(new Condition.Nullness(column(node, 2), false));
      case "IN" -> into.add(new Condition.InList(column(node, 3), values(node)));
      case "=", "<", "<=", ">", ">=" ->
          into.add(
              new Condition.Comparison(
                  column(node, 3), OPERATORS.get(operator), value(node, node.get(2))));
      default -> throw bad(node, "operators are <= < = > >= IN NULL NOTNULL and AND");
    }
  }

  private static String column(JsonNode node, int size) {
    if (node.size() != size || !node.get(1).isTextual()) {
      throw bad(node, "it must have " + size + " elements, the second one a column name");
    }
    return node.get(1).asText();
  }

  private static List<String> values(JsonNode node) {
    if (!node.get(2).isArray()) {
      throw bad(node, "its values must be an array");
    }
    List<String> values = new ArrayList<>();
    node.get(2).forEach(value -> values.add(value(node, value)));
    return values;
  }

  private static String value(JsonNode node, JsonNode value) {
    if (!value.isValueNode() || value.isNull()) {
      throw bad(node, value + " is not a value; write [\"NULL\", column] for nulls");
    }
    return value.asText();
  }

  private static KuduException bad(JsonNode node, String reason) {
    return KuduException.invalidArgument("--predicates: %s: %s", node, reason);
  }
}
