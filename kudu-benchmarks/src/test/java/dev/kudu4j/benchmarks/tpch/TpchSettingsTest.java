package dev.kudu4j.benchmarks.tpch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TpchSettingsTest {
  @Test
  void queriesRunOnceEachInOrder() {
    assertThat(settings(List.of(6, 1, 6)).queries()).containsExactly(1, 6);
  }

  @Test
  void unknownQueriesAreRejected() {
    assertThatThrownBy(() -> settings(List.of(1, 23))).hasMessageContaining("23");
    assertThatThrownBy(() -> settings(List.of(0))).hasMessageContaining("1 to 22");
    assertThatThrownBy(() -> settings(List.of())).isInstanceOf(IllegalArgumentException.class);
  }

  private static TpchSettings settings(List<Integer> queries) {
    return new TpchSettings(0.1, 4, queries, 3, 1, "local[2]", Map.of(), 1024);
  }
}
