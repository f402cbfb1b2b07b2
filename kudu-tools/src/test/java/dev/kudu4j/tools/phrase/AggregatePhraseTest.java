package dev.kudu4j.tools.phrase;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class AggregatePhraseTest {
  @Test
  void functionsArithmeticAndNames() {
    for (String phrase :
        new String[] {
          "count(*)",
          "COUNT( * ) as n, Sum(a) , min(\"odd name\")",
          "sum(price * (1 - discount) * (1+tax)) AS \"the sum\"",
          "avg(-a + 2.5*b - 1)",
          "count(distinct a), COUNT(DISTINCT \"odd name\") AS n"
        }) {
      assertThatCode(() -> AggregatePhrase.parse(phrase)).as(phrase).doesNotThrowAnyException();
    }
  }

  @Test
  void errorsHaveThePositionAndTheExpectedText() {
    assertError(
        "",
        "the text ends at character 1, expected count, sum, min, max, avg or approx_count_distinct");
    assertError(
        "median(a)",
        "'median' at character 1, expected count, sum, min, max, avg or approx_count_distinct");
    assertError("sum a", "'a' at character 5, expected '('");
    assertError("sum(*)", "'*' at character 5, expected a column, a number or '('");
    assertError("sum(a", "the text ends at character 6, expected ')'");
    assertError("sum(a) b", "'b' at character 8, expected ',' or the end");
    assertError("sum(a +)", "')' at character 8, expected a column");
    assertError("sum(a) as ,", "',' at character 11, expected a name");
  }

  private static void assertError(String text, String message) {
    assertThatThrownBy(() -> AggregatePhrase.parse(text))
        .hasMessageStartingWith("--aggregate: ")
        .hasMessageContaining(message);
  }
}
