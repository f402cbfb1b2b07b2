package dev.kudu4j.benchmarks.table3;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.kudu4j.benchmarks.BenchRun;
import dev.kudu4j.benchmarks.baseline.Answers;
import dev.kudu4j.benchmarks.report.Figure;
import dev.kudu4j.benchmarks.workload.KeySample;
import dev.kudu4j.benchmarks.workload.LineItemQuery;
import dev.kudu4j.benchmarks.workload.Loaded;
import dev.kudu4j.benchmarks.workload.published.TableQueries;
import dev.kudu4j.embedded.EmbeddedCluster;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** All queries with little data, on a cluster in this JVM. */
class Table3IT {
  private static final double SCALE = 0.001;

  @TempDir private Path directory;

  /** The command fails if answers differ. */
  @Test
  @Timeout(value = 5, unit = TimeUnit.MINUTES)
  void kudu4jDuckDbAndParquetHaveTheSameAnswers() throws Exception {
    Path json = directory.resolve("figures.json");
    Path page = directory.resolve("report.html");
    try (EmbeddedCluster cluster = EmbeddedCluster.builder().start()) {
      String text =
          BenchRun.run(
              "table3",
              "--against=" + cluster.masterAddresses(),
              "--only=KUDU4J,DUCKDB,PARQUET",
              "--scale=" + SCALE,
              "--look-ups=5",
              "--tablets=2",
              "--rounds=2",
              "--work-dir=" + directory.resolve("data"),
              "--report=" + page,
              "--json=" + json);
      assertThat(text)
          .contains("| figure | unit | Kudu4j | DuckDB | ratio | Parquet, DuckDB | ratio |");
    }
    assertThat(page).isNotEmptyFile();
    JsonNode figures = new ObjectMapper().readTree(json.toFile()).path("figures");
    for (LineItemQuery query : LineItemQuery.values()) {
      Figure figure = Table3Figure.of(query);
      for (String side : List.of("kudu4j", "duckdb", "parquet")) {
        assertThat(figures.path(figure.key()).path(side).path("rounds"))
            .as("%s of %s", figure.key(), side)
            .hasSize(2);
      }
    }
  }

  /** The program for the published client, on our servers. */
  @Test
  @Timeout(value = 5, unit = TimeUnit.MINUTES)
  void aggregatesOfTheProgramAreThoseOfTheServers() throws Exception {
    try (EmbeddedCluster cluster = EmbeddedCluster.builder().start();
        TableQueries program = new TableQueries(cluster.masterAddresses(), "program", 2);
        OurQueries ours = new OurQueries(cluster.masterAddresses(), "servers", 2)) {
      Loaded loaded = program.load(SCALE);
      assertThat(ours.load(SCALE).rows()).isEqualTo(loaded.rows());
      for (LineItemQuery query : LineItemQuery.values()) {
        List<List<String>> expected = program.answer(query);
        assertThat(expected).isNotEmpty();
        assertThat(Answers.areSame(ours.answer(query), expected))
            .as("%s: %s and %s", query, ours.answer(query), expected)
            .isTrue();
      }
      assertThat(program.answer(LineItemQuery.COUNT_ALL))
          .containsExactly(List.of(Long.toString(loaded.rows())));
      KeySample keys = loaded.sample();
      assertThat(ours.lookUp(keys)).hasSameSizeAs(program.lookUp(keys));
    }
  }
}
