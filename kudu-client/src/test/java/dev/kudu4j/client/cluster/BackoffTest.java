package dev.kudu4j.client.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BackoffTest {
  @ParameterizedTest
  @CsvSource({"SEARCHING,0,4", "SEARCHING,3,32", "SEARCHING,100,250", "BUSY,0,8", "BUSY,99,1000"})
  void waitsDoubleUpToTheirCapWithRandomJitter(Backoff backoff, int waits, long max) {
    Set<Long> seen = new HashSet<>();
    for (int i = 0; i < 1_000; i++) {
      seen.add(backoff.millis(waits));
    }
    assertThat(seen)
        .allSatisfy(millis -> assertThat(millis).isBetween(max / 2, max))
        .hasSizeGreaterThan((int) Math.min(max / 4, 100));
  }
}
