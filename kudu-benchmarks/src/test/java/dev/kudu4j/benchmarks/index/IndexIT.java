package dev.kudu4j.benchmarks.index;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.kudu4j.benchmarks.BenchRun;
import dev.kudu4j.benchmarks.selection.OurSelections;
import dev.kudu4j.benchmarks.selection.Selection;
import dev.kudu4j.benchmarks.selection.SelectionQuery;
import dev.kudu4j.benchmarks.selection.published.TableSelections;
import dev.kudu4j.embedded.EmbeddedCluster;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** All parts that need one cluster, with little data, on a cluster in this JVM. */
class IndexIT {
  @TempDir private Path directory;

  /** The command fails if answers of plans differ. */
  @Test
  @Timeout(value = 5, unit = TimeUnit.MINUTES)
  void allPlansHaveTheSameAnswers() throws Exception {
    Path json = directory.resolve("figures.json");
    Path page = directory.resolve("report.html");
    try (EmbeddedCluster cluster = EmbeddedCluster.builder().start()) {
      String text =
          BenchRun.run(
              "index",
              "--against=" + cluster.masterAddresses(),
              "--parts=queries,choice,inserts,spread,lag",
              "--scale=0.002",
              "--rounds=1",
              "--warm-up=0",
              "--turn-millis=1",
              "--predicates=9",
              "--insert-mb=1",
              "--spread-rows=1000",
              "--spread-tablets=5",
              "--rates=500",
              "--lag-seconds=0.5",
              "--goals",
              "--report=" + page,
              "--json=" + json);
      assertThat(text).contains("| figure | unit | chosen | no index | ratio | forced | ratio |");
      assertThat(text)
          .contains("two local indexes, lineitem", "two clustering indexes, records of 64 KB")
          .contains("**Goals**");
    }
    assertThat(page).isNotEmptyFile();
    JsonNode report = new ObjectMapper().readTree(json.toFile());
    assertThat(report.path("queries")).hasSize(16);
    assertThat(report.path("choice")).hasSize(9);
    assertThat(report.path("builds")).hasSize(3);
    assertThat(report.path("inserts").size()).isPositive();
    assertThat(report.path("spread_queries")).hasSize(1);
    assertThat(report.path("lag")).hasSize(2);
    report.path("lag").forEach(point -> assertThat(point.path("reads").asInt()).isPositive());
    assertThat(report.path("goals").size()).isPositive();
  }

  /** The program for the published client, on our servers, filters an OR itself. */
  @Test
  @Timeout(value = 5, unit = TimeUnit.MINUTES)
  void bothClientsHaveTheSameAnswers() throws Exception {
    Orders orders = new Orders(0.002);
    try (EmbeddedCluster first = EmbeddedCluster.builder().start();
        EmbeddedCluster second = EmbeddedCluster.builder().start();
        TableSelections program = new TableSelections(first.masterAddresses(), orders, 2);
        OurSelections ours = new OurSelections(second.masterAddresses(), orders, 2)) {
      assertThat(program.load(2)).isEqualTo(orders.rowCount());
      assertThat(ours.load(1)).isEqualTo(orders.rowCount());
      for (SelectionQuery query : new OrderQueries(orders).all()) {
        for (Selection selection : query.variants()) {
          assertThat(program.answer(selection))
              .as("%s", selection)
              .isEqualTo(ours.answer(selection));
          Selection count = new Selection(selection.join(), selection.ranges(), List.of());
          assertThat(program.answer(count)).as("%s", count).isEqualTo(ours.answer(count));
        }
      }
    }
  }
}
