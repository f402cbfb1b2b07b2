package dev.kudu4j.benchmarks.consistency;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ReadingTest {
  private final Reading reading =
      new Reading(
          "any",
          1,
          () -> {
            throw new AssertionError("nobody reads");
          });

  private static Sums sums(long... balances) {
    Sums sums = Sums.NONE;
    for (long balance : balances) {
      sums = sums.plus(balance);
    }
    return sums;
  }

  @Test
  void wholePairsSumUpToZero() {
    reading.found(Sums.NONE, sums(3, 4, -3, -4));
    reading.found(sums(3, -3), sums(3, -3));
    assertThat(reading.reads()).isEqualTo(2);
    assertThat(reading.nonZero()).isZero();
    assertThat(reading.wentBack()).isZero();
    assertThat(reading.example()).isEmpty();
  }

  @Test
  void halfAPairIsCounted() {
    reading.found(Sums.NONE, sums(4, -3));
    assertThat(reading.nonZero()).isEqualTo(1);
    assertThat(reading.wentBack()).isZero();
    assertThat(reading.example()).contains("added=4", "subtracted=-3");
  }

  @Test
  void anOlderStateOfEitherSideIsCounted() {
    reading.found(sums(5, -5), sums(4, -4));
    assertThat(reading.wentBack()).isEqualTo(1);
    reading.found(sums(5, -5), sums(5, -4));
    assertThat(reading.wentBack()).isEqualTo(2);
    assertThat(reading.nonZero()).isEqualTo(1);
    assertThat(reading.example()).contains("after");
  }
}
