package dev.kudu4j.tools.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class TargetTest {
  @Test
  void mastersMayBeLeftOut() {
    Target named = Target.of(List.of("a:1,b", "t"), "TABLE");
    assertThat(named.masters()).hasToString("a:1,b:7051");
    assertThat(named.argument(0)).isEqualTo("t");
    Target standard = Target.of(List.of("t"), "TABLE");
    assertThat(standard.masters().defaulted()).isTrue();
    assertThat(standard.argument(0)).isEqualTo("t");
    assertThat(Target.of(null).masters().defaulted()).isTrue();
  }

  @Test
  void aMissingTableArgumentIsReported() {
    assertThatThrownBy(() -> Target.of(List.of("127.0.0.1:7051"), "TABLE"))
        .hasMessage(
            "TABLE is missing after the masters 127.0.0.1:7051; the arguments are [MASTERS] TABLE");
    assertThatThrownBy(() -> Target.of(List.of("a", "b", "c"), "TABLE"))
        .hasMessageStartingWith("3 arguments");
  }

  @Test
  void theLastArgumentMayBeLeftOut() {
    Target both = Target.withOptional(List.of("a", "t", "i"), "TABLE", "INDEX");
    assertThat(both.masters()).hasToString("a:7051");
    assertThat(both.optional(1)).contains("i");
    Target local = Target.withOptional(List.of("t", "i"), "TABLE", "INDEX");
    assertThat(local.masters().defaulted()).isTrue();
    assertThat(local.argument(0)).isEqualTo("t");
    assertThat(local.optional(1)).contains("i");
    Target table = Target.withOptional(List.of("a:1", "t"), "TABLE", "INDEX");
    assertThat(table.masters()).hasToString("a:1");
    assertThat(table.argument(0)).isEqualTo("t");
    assertThat(table.optional(1)).isEmpty();
    assertThat(Target.withOptional(List.of("t"), "TABLE", "INDEX").optional(1)).isEmpty();
  }

  @Test
  void mastersAreAddresses() {
    assertThat(Masters.of("[::1]:7, h ")).hasToString("[::1]:7,h:7051");
    for (String bad : List.of("", "a:", "a:0", "a:70000", "a b:1", "a,,b", "a:1:2")) {
      assertThatThrownBy(() -> Masters.of(bad))
          .as(bad)
          .hasMessageContaining("is not the address of a master");
    }
  }

  @Test
  void similarNamesAreFound() {
    assertThat(SimilarName.find("flihgts", List.of("people", "flights"))).contains("flights");
    assertThat(SimilarName.find("Flights", List.of("flights"))).contains("flights");
    assertThat(SimilarName.find("x", List.of("people", "flights"))).isEmpty();
    assertThat(SimilarName.hint("x", List.of("people"))).isEmpty();
  }
}
