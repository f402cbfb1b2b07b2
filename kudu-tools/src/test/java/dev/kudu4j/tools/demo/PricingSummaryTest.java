package dev.kudu4j.tools.demo;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PricingSummaryTest {
  @Test
  void sumsAreExact() {
    PricingSummary summary = new PricingSummary();
    summary.add("N", "O", 1700, 2116823, 4, 2); // 17 pieces for 21168.23, 4 % off, 2 % tax
    summary.add("N", "O", 300, 100, 0, 0);
    summary.add("A", "F", 100, 1, 10, 8);
    assertThat(summary.lines().keySet()).containsExactly("A F", "N O");
    assertThat(summary.lines().get("N O"))
        .containsExactly(
            "20.00", "21,169.23", "20,322.50", "20,728.93", "10.00", "10,584.62", "0.02", "2");
  }

  @Test
  void theOrderOfRowsDoesNotMatterAndEveryAmountDoes() {
    PricingSummary one = new PricingSummary();
    one.add("A", "F", 100, 5, 1, 2);
    one.add("R", "F", 200, 7, 3, 4);
    PricingSummary other = new PricingSummary();
    other.add("R", "F", 200, 7, 3, 4);
    other.add("A", "F", 100, 5, 1, 2);
    assertThat(one).isEqualTo(other).hasSameHashCodeAs(other);
    PricingSummary taxed = new PricingSummary();
    taxed.add("R", "F", 200, 7, 3, 5);
    taxed.add("A", "F", 100, 5, 1, 2);
    assertThat(one).isNotEqualTo(taxed);
  }
}
