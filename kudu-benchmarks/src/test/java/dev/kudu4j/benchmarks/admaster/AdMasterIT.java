package dev.kudu4j.benchmarks.admaster;

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

/** The workloads with few events, on a cluster in this JVM. */
class AdMasterIT {
  @TempDir private Path directory;

  /** The command fails if answers of plans differ. */
  @Test
  @Timeout(value = 5, unit = TimeUnit.MINUTES)
  void allPlansHaveTheSameAnswers() throws Exception {
    Path json = directory.resolve("figures.json");
    try (EmbeddedCluster cluster = EmbeddedCluster.builder().start()) {
      String out =
          BenchRun.run(
              "admaster",
              "--against=" + cluster.masterAddresses(),
              "--rows=3000",
              "--rounds=1",
              "--warm-up=0",
              "--turn-millis=1",
              "--goals",
              "--json=" + json);
      assertThat(out).contains("W4, date and OS, all columns").contains("**Goals**");
    }
    JsonNode report = new ObjectMapper().readTree(json.toFile());
    assertThat(report.path("queries")).hasSize(4);
    assertThat(report.path("goals")).hasSize(8);
  }
}
