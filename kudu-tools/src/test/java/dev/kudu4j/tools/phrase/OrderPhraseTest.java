package dev.kudu4j.tools.phrase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class OrderPhraseTest {
  @Test
  void columnsAreAscendingByDefault() {
    assertThat(OrderPhrase.parse("delay DESC, flight asc,\"odd name\""))
        .containsExactly(
            new OrderPhrase("delay", false),
            new OrderPhrase("flight", true),
            new OrderPhrase("odd name", true));
  }

  @Test
  void aggregatesNeedNoQuotes() {
    assertThat(OrderPhrase.parse("count(distinct a) desc, sum(b * (1 - c)), count(*) asc, a"))
        .containsExactly(
            new OrderPhrase("count(distinct a)", false),
            new OrderPhrase("sum(b * (1 - c))", true),
            new OrderPhrase("count(*)", true),
            new OrderPhrase("a", true));
    assertThat(OrderPhrase.parse("\"open(\" desc"))
        .containsExactly(new OrderPhrase("open(", false));
  }

  @Test
  void errorsHaveThePositionAndTheExpectedText() {
    assertThatThrownBy(() -> OrderPhrase.parse("delay down"))
        .hasMessageContaining("'down' at character 7, expected ASC, DESC, ',' or the end");
    assertThatThrownBy(() -> OrderPhrase.parse("delay,"))
        .hasMessageContaining("expected a column of the result");
  }
}
