package dev.kudu4j.benchmarks.freshness;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.kudu4j.benchmarks.BenchRun;
import dev.kudu4j.embedded.EmbeddedCluster;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The command with few rows, on a cluster in this JVM. */
class FreshnessIT {
  @TempDir private Path directory;

  @Test
  @Timeout(value = 5, unit = TimeUnit.MINUTES)
  void noAnswerIsOlderThanAsked() throws Exception {
    Path json = directory.resolve("figures.json");
    try (EmbeddedCluster cluster = EmbeddedCluster.builder().start()) {
      String out =
          BenchRun.run(
              "freshness",
              "--against=" + cluster.masterAddresses(),
              "--rows=3000",
              "--writes=1000",
              "--tablets=2",
              "--epoch=1",
              "--freshness=0,1,30",
              "--rounds=1",
              "--seconds=0.5",
              "--reads=300",
              "--json=" + json);
      assertThat(out).contains("all columns of all rows").contains("**Goals**");
    }
    JsonNode report = new ObjectMapper().readTree(json.toFile());
    assertThat(report.path("slots")).hasSize(9);
    assertThat(report.path("reads").path("checked").asInt()).isGreaterThanOrEqualTo(300);
    assertThat(report.path("reads").path("too_old").asInt()).isZero();
  }
}
