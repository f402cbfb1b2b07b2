package dev.kudu4j.benchmarks.freshness;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class AcknowledgedTest {
  @Test
  void knowsTheRowsOfEachMoment() {
    long origin = Long.MAX_VALUE - 5; // System.nanoTime() may overflow
    Acknowledged acknowledged = new Acknowledged(100, origin);
    acknowledged.add(10, origin + 3);
    acknowledged.add(5, origin + 8);
    assertThat(acknowledged.rowsAt(origin - 1_000)).isEqualTo(100);
    assertThat(acknowledged.rowsAt(origin + 2)).isEqualTo(100);
    assertThat(acknowledged.rowsAt(origin + 3)).isEqualTo(110);
    assertThat(acknowledged.rowsAt(origin + 7)).isEqualTo(110);
    assertThat(acknowledged.rowsAt(origin + 8)).isEqualTo(115);
    assertThat(acknowledged.rows()).isEqualTo(115);
  }
}
