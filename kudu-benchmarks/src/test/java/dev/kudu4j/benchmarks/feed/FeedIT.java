package dev.kudu4j.benchmarks.feed;

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
class FeedIT {
  @TempDir private Path directory;

  @Test
  @Timeout(value = 2, unit = TimeUnit.MINUTES)
  void theConsumerFollows() throws Exception {
    Path json = directory.resolve("figures.json");
    try (EmbeddedCluster cluster = EmbeddedCluster.builder().start()) {
      String out =
          BenchRun.run(
              "feed",
              "--against=" + cluster.masterAddresses(),
              "--replicas=1",
              "--rows=5000",
              "--rates=1000",
              "--seconds=1",
              "--json=" + json);
      assertThat(out).contains("All changes").contains("Lag");
    }
    JsonNode report = new ObjectMapper().readTree(json.toFile());
    assertThat(report.path("reads")).hasSize(2);
    assertThat(report.path("changes").path(0).asInt()).isPositive();
  }
}
