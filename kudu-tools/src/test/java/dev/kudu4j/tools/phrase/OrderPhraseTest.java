package dev.kudu4j.tools.phrase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class OrderPhraseTest {
  @Test
  void columnsAscendUnlessTheyDescend() {
    assertThat(OrderPhrase.parse("delay DESC, flight asc,\"odd name\""))
        .containsExactly(
            new OrderPhrase("delay", false),
            new OrderPhrase("flight", true),
            new OrderPhrase("odd name", true));
  }

  @Test
  void errorsSayWhereAndWhatWouldBeRight() {
    assertThatThrownBy(() -> OrderPhrase.parse("delay down"))
        .hasMessageContaining("'down' at character 7, expected ASC, DESC, ',' or the end");
    assertThatThrownBy(() -> OrderPhrase.parse("delay,"))
        .hasMessageContaining("expected a column of the result");
  }
}
