package dev.kudu4j.benchmarks.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class GoalsTest {
  @Test
  void goalsAreReachedMissedOrNotMeasured() {
    Goals goals = new Goals();
    goals.atLeast("speed", 3, 2.5);
    goals.atMost("overhead", 12, 10);
    goals.atMost("not run", Double.NaN, 1);
    assertThat(goals.table().rows())
        .containsExactly(
            List.of("speed", "≥ 2.50", "3.00", "reached"),
            List.of("overhead", "≤ 10.0", "12.0", "missed"),
            List.of("not run", "≤ 1.00", "-", "not measured"));
    assertThat(goals.numbers())
        .hasSize(2)
        .extracting(goal -> goal.get("reached"))
        .containsExactly(true, false);
  }
}
