package dev.kudu4j.server.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class KernelTimeTest {
  @Test
  void theNameOfTheCommandMayLookLikeFields() {
    String stat = "4711 (a) b 1 2) S 1 4711 4711 0 -1 4194560 100 0 0 0 250 37 0 0 20 0 5 0 100 1";
    assertThat(KernelTime.parse(stat)).hasValue(370);
    assertThat(KernelTime.parse("4711 (a) S 1")).isEmpty();
  }

  @Test
  void thisProcessHasSome() {
    assertThat(KernelTime.ofThisProcess().orElse(0)).isNotNegative();
  }
}
