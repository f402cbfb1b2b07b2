package dev.kudu4j.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The text of index hints, as options of programs have it. */
class KuduIndexHintTest {
  @ParameterizedTest
  @ValueSource(strings = {"optimizer", "force", "forbid", "force:a", "forbid:a,b", "force:a b"})
  void parsedHintHasTheSameText(String text) {
    assertThat(KuduIndexHint.parse(text)).hasToString(text);
    assertThat(KuduIndexHint.parse(text)).isEqualTo(KuduIndexHint.parse(text));
  }

  @Test
  void spacesAroundNamesAreIgnored() {
    assertThat(KuduIndexHint.parse(" force : a , b ")).isEqualTo(KuduIndexHint.force("a", "b"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "none", "optimizer:a", "hide:a", "Force"})
  void otherTextsAreRefused(String text) {
    assertThatThrownBy(() -> KuduIndexHint.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("Not an index hint: " + text + ";");
  }

  @ParameterizedTest
  @ValueSource(strings = {"force:", "forbid:,", "force:a,", "optimizer:,"})
  void emptyNamesAreRefused(String text) {
    assertThatThrownBy(() -> KuduIndexHint.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("empty name");
  }
}
