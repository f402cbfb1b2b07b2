package dev.kudu4j.tools.phrase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kudu4j.client.KuduPredicate.ComparisonOp;
import dev.kudu4j.tools.phrase.Condition.Comparison;
import dev.kudu4j.tools.phrase.Condition.InList;
import dev.kudu4j.tools.phrase.Condition.Nullness;
import dev.kudu4j.tools.phrase.Filter.And;
import dev.kudu4j.tools.phrase.Filter.ColumnOrValue;
import dev.kudu4j.tools.phrase.Filter.Columns;
import dev.kudu4j.tools.phrase.Filter.Like;
import dev.kudu4j.tools.phrase.Filter.Not;
import dev.kudu4j.tools.phrase.Filter.Or;
import java.util.List;
import org.junit.jupiter.api.Test;

class WhereClauseTest {
  @Test
  void conditionsAreJoinedByAnd() {
    assertThat(
            WhereClause.parse(
                "id >= 5 AND name='it''s' and \"odd name\" is not null AND d IN (1, 'b', -3) and x"
                    + " between 1.5 and 2e3 AND y IS NULL and t < 2013-01-01T10:00:00Z"))
        .isEqualTo(
            new And(
                List.of(
                    new Comparison("id", ComparisonOp.GREATER_EQUAL, "5"),
                    new Comparison("name", ComparisonOp.EQUAL, "it's"),
                    new Nullness("odd name", false),
                    new InList("d", List.of("1", "b", "-3")),
                    new And(
                        List.of(
                            new Comparison("x", ComparisonOp.GREATER_EQUAL, "1.5"),
                            new Comparison("x", ComparisonOp.LESS_EQUAL, "2e3"))),
                    new Nullness("y", true),
                    new Comparison("t", ComparisonOp.LESS, "2013-01-01T10:00:00Z"))));
  }

  @Test
  void andBindsMoreTightlyThanOr() {
    assertThat(WhereClause.parse("a = 1 OR NOT b LIKE 'x%' and (c <> 2 or d not in (3))"))
        .isEqualTo(
            new Or(
                List.of(
                    new Comparison("a", ComparisonOp.EQUAL, "1"),
                    new And(
                        List.of(
                            new Not(new Like("b", "x%")),
                            new Or(
                                List.of(
                                    new Not(new Comparison("c", ComparisonOp.EQUAL, "2")),
                                    new Not(new InList("d", List.of("3"))))))))));
  }

  @Test
  void valuesMayBeColumns() {
    assertThat(WhereClause.parse("a < \"b c\""))
        .isEqualTo(new Columns("a", ComparisonOp.LESS, "b c"));
    assertThat(WhereClause.parse("a >= b"))
        .isEqualTo(new ColumnOrValue("a", ComparisonOp.GREATER_EQUAL, "b"));
  }

  @Test
  void errorsHaveThePositionAndTheExpectedText() {
    assertError("id >=", "the text ends at character 6, expected a value");
    assertError("(id = 1 or id = 2", "the text ends at character 18, expected ')'");
    assertError("id not 1", "'1' at character 8, expected one of");
    assertError("id ~ 1", "'~' at character 4, expected one of =");
    assertError("id = 'x", "the quote at character 6 is not closed");
    assertError("id = 1 name = 2", "'name' at character 8, expected AND, OR or the end");
    assertError("id in 1", "'1' at character 7, expected '('");
    assertError("id in (1", "expected ')'");
    assertError("id = null", "'null' at character 6, expected a value");
    assertError("", "expected a column name");
    assertError("= 1", "expected a column name");
  }

  private static void assertError(String text, String... parts) {
    assertThatThrownBy(() -> WhereClause.parse(text))
        .hasMessageStartingWith("--where: ")
        .hasMessageContainingAll(parts);
  }

  @Test
  void jsonPredicatesMeanTheSame() {
    assertThat(
            PredicateJson.parse(
                "[\"AND\", [\">=\", \"id\", 5], [\"in\", \"n\", [\"a\", 2]], [\"NULL\", \"x\"],"
                    + " [\"AND\", [\"NOTNULL\", \"y\"]]]"))
        .containsExactly(
            new Comparison("id", ComparisonOp.GREATER_EQUAL, "5"),
            new InList("n", List.of("a", "2")),
            new Nullness("x", true),
            new Nullness("y", false));
    for (String bad : List.of("5", "[]", "[\"OR\", 1]", "[\"=\", \"a\"]", "[\"IN\", \"a\", 1]")) {
      assertThatThrownBy(() -> PredicateJson.parse(bad)).hasMessageStartingWith("--predicates: ");
    }
    assertThatThrownBy(() -> PredicateJson.parse("[\"=\", \"a\", "))
        .hasMessageContaining("--predicates is not valid JSON at line 1, column");
  }
}
