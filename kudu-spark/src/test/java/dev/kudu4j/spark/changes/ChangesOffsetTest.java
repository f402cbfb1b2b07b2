package dev.kudu4j.spark.changes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ChangesOffsetTest {
  @Test
  void anOffsetIsReadFromItsText() {
    ChangesOffset offset = ChangesOffset.at(7354981982208000000L, List.of("b", "a"));

    assertThat(offset.json())
        .isEqualTo("{\"version\":7354981982208000000,\"tablets\":[\"a\",\"b\"]}");
    assertThat(ChangesOffset.parse(offset.json())).isEqualTo(offset);
    assertThat(ChangesOffset.parse(" { \"tablets\" : [], \"version\" : 5 } ").json())
        .isEqualTo("{\"version\":5,\"tablets\":[]}");
  }

  @Test
  void itKnowsItsTablets() {
    ChangesOffset offset = ChangesOffset.parse("{\"version\":5,\"tablets\":[\"a\",\"b,\\\"c\"]}");

    assertThat(offset.timestamp()).isEqualTo(5);
    assertThat(offset.tablets()).isEqualTo(Set.of("a", "b,\"c"));
    assertThat(offset.knows("a")).isTrue();
    assertThat(offset.knows("c")).isFalse();
    assertThat(offset.hasTablets(List.of("b,\"c", "a"))).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "7",
        "[]",
        "{}",
        "{\"version\":5}",
        "{\"version\":5,\"tablets\":[\"a\"]",
        "{\"version\":5,\"tablets\":[\"a\"]} 6",
        "{\"version\":5,\"tablets\":[1]}",
        "{\"version\":5,\"tablets\":\"a\"}",
        "{\"version\":\"5\",\"tablets\":[]}",
        "{\"version\":-5,\"tablets\":[]}",
        "{\"version\":9223372036854775808,\"tablets\":[]}",
        "{\"version\":5,\"tablets\":[],\"more\":1}",
      })
  void otherTextIsRejected(String text) {
    assertThatThrownBy(() -> ChangesOffset.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("not one of the changes of a Kudu table");
  }
}
