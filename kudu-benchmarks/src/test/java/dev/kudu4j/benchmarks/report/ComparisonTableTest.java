package dev.kudu4j.benchmarks.report;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.kudu4j.benchmarks.workload.ServerFigure;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ComparisonTableTest {
  private final Measurements<Side> measurements =
      Measurements.ofSides(List.of(ServerFigure.values()));

  @Test
  void showsMediansSpreadRatioAndWhoIsBetter() {
    add(ServerFigure.LOAD_ROWS, new double[] {200, 100, 300}, new double[] {100, 100, 100});
    add(ServerFigure.LOAD_CPU, new double[] {6, 6, 6}, new double[] {3, 4, 2});
    assertThat(ComparisonTable.ofSides(measurements).table().toMarkdown().lines())
        .containsExactly(
            "| figure | unit | Kudu4j | ratio | Apache Kudu |",
            "| --- | --- | ---: | ---: | ---: |",
            "| load | rows/s | 200 (100–300) | 2.00 better | 100 (100–100) |",
            "| load, server CPU until the last answer | µs/row | 6.00 (6.00–6.00) | 2.00 worse"
                + " | 3.00 (2.00–4.00) |");
  }

  @Test
  void ratioIsTakenRoundByRound() {
    // A slow machine in the second round: both took ten times as long.
    add(ServerFigure.LOOKUP_P50, new double[] {2, 20, 2}, new double[] {1, 10, 4});
    assertThat(measurements.ratio(Side.OURS, ServerFigure.LOOKUP_P50)).hasValue(2);
  }

  @Test
  void oneSideAloneHasNoRatio() {
    measurements.add(Side.PUBLISHED, ServerFigure.INSERT_P50, 0.25);
    assertThat(ComparisonTable.ofSides(measurements).table().toMarkdown())
        .contains("| single-row insert, p50 | ms | 0.250 |");
    assertThat(measurements.ratio(Side.OURS, ServerFigure.INSERT_P50)).isEmpty();
  }

  @Test
  void eachOfOurSidesHasItsOwnRatio() {
    measurements.add(Side.OURS, ServerFigure.LOAD_ROWS, 300);
    measurements.add(Side.OUR_SERVERS, ServerFigure.LOAD_ROWS, 50);
    measurements.add(Side.PUBLISHED, ServerFigure.LOAD_ROWS, 100);
    assertThat(ComparisonTable.ofSides(measurements).table().toMarkdown())
        .contains("| load | rows/s | 300 | 3.00 better | 50.0 | 0.500 worse | 100 |");
  }

  @Test
  void numbersHoldEveryRound() {
    add(ServerFigure.LOAD_ROWS, new double[] {200, 100}, new double[] {100, 100});
    ObjectNode json =
        new Report("", Machine.here(), Map.of("scale", 0.1))
            .data("figures", ComparisonTable.ofSides(measurements).numbers())
            .toJson();
    assertThat(json.at("/settings/scale").asDouble()).isEqualTo(0.1);
    assertThat(json.at("/machine/processors").asInt()).isPositive();
    assertThat(json.at("/figures/load_rows/ours/rounds/1").asDouble()).isEqualTo(100);
    assertThat(json.at("/figures/load_rows/ours/median").asDouble()).isEqualTo(150);
    assertThat(json.at("/figures/load_rows/ours/ratio").asDouble()).isEqualTo(1.5);
    assertThat(json.at("/figures").size()).isEqualTo(1);
  }

  private void add(ServerFigure figure, double[] ours, double[] published) {
    for (double value : ours) {
      measurements.add(Side.OURS, figure, value);
    }
    for (double value : published) {
      measurements.add(Side.PUBLISHED, figure, value);
    }
  }
}
