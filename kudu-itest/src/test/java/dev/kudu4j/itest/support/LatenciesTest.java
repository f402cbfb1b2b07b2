package dev.kudu4j.itest.support;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class LatenciesTest {
  @Test
  void quantilesCoverTheCallsThatBeganInTheInterval() {
    Latencies latencies = new Latencies();
    for (int millis = 1; millis <= 200; millis++) {
      long begin = millis * 1_000_000_000L;
      latencies.add(begin, begin + millis * 1_000_000L);
    }
    Latencies.Quantiles first = latencies.between(0, 101_000_000_000L);
    assertThat(first.count()).isEqualTo(100);
    assertThat(first.p50Millis()).isEqualTo(51);
    assertThat(first.p99Millis()).isEqualTo(100);
    assertThat(latencies.between(199_000_000_000L, Long.MAX_VALUE).maxMillis()).isEqualTo(200);
    assertThat(latencies.between(0, 1).p99Millis()).isNaN();
  }
}
