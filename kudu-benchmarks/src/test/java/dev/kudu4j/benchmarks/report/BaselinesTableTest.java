package dev.kudu4j.benchmarks.report;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.kudu4j.benchmarks.workload.ServerFigure;
import java.util.List;
import org.junit.jupiter.api.Test;

class BaselinesTableTest {
  private final Measurements<String> measurements =
      new Measurements<>(List.of(ServerFigure.values()), List.of("A", "B", "C"));

  @Test
  void eachBaselineHasTheRatioOfTheSubject() {
    add("A", ServerFigure.LOOKUP_P50, 1, 2, 3);
    add("B", ServerFigure.LOOKUP_P50, 2, 4, 6);
    add("C", ServerFigure.LOOKUP_P50, 0.5, 1, 1.5);
    assertThat(table().table("", figure -> true).toMarkdown().lines())
        .containsExactly(
            "| figure | unit | A | B | ratio | C | ratio |",
            "| --- | --- | ---: | ---: | ---: | ---: | ---: |",
            "| row by key, p50 | ms | 2.00 (1.00–3.00) | 4.00 (2.00–6.00) | 0.500"
                + " | 1.00 (0.500–1.50) | 2.00 |");
  }

  @Test
  void figureThatABaselineLacksHasNoRatioToIt() {
    add("A", ServerFigure.LOOKUP_P50, 1);
    add("A", ServerFigure.LOOKUP_P99, 8);
    add("B", ServerFigure.LOOKUP_P50, 2);
    assertThat(table().table("", figure -> true).toMarkdown())
        .contains("| row by key, p99 | ms | 8.00 | - | - |");
    assertThat(table().summary(figure -> true).rows())
        .containsExactly(
            List.of("B", "1", "0.500", "0.500 (row by key, p50)", "0.500 (row by key, p50)", "0"));
  }

  @Test
  void summaryNamesMeanBestAndWorst() {
    add("A", ServerFigure.LOOKUP_P50, 1);
    add("A", ServerFigure.LOOKUP_P99, 8);
    add("B", ServerFigure.LOOKUP_P50, 2);
    add("B", ServerFigure.LOOKUP_P99, 1);
    assertThat(table().summary(figure -> true).rows())
        .containsExactly(
            List.of("B", "2", "2.00", "0.500 (row by key, p50)", "8.00 (row by key, p99)", "1"));
  }

  @Test
  void ratiosAndRoundsAreInTheNumbers() {
    add("A", ServerFigure.LOOKUP_P50, 1, 3);
    add("B", ServerFigure.LOOKUP_P50, 4, 4);
    var json = new ObjectMapper().valueToTree(table().numbers()).path("lookup_p50");
    assertThat(json.path("b").path("ratio_of_subject").asDouble()).isEqualTo(0.5);
    assertThat(json.path("a").path("rounds")).hasSize(2);
    assertThat(json.path("a").has("ratio_of_subject")).isFalse();
  }

  private BaselinesTable<String> table() {
    return new BaselinesTable<>(measurements, side -> side);
  }

  private void add(String side, Figure figure, double... values) {
    for (double value : values) {
      measurements.add(side, figure, value);
    }
  }
}
