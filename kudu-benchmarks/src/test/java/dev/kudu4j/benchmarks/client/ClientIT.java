package dev.kudu4j.benchmarks.client;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.kudu4j.benchmarks.BenchRun;
import dev.kudu4j.embedded.EmbeddedCluster;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** All tasks with little data, through both clients' processes, on a cluster in this JVM. */
class ClientIT {
  @TempDir private Path directory;

  /** The command fails if a result differs from the loaded data. */
  @Test
  @Timeout(value = 10, unit = TimeUnit.MINUTES)
  void allTasksRunThroughBothClients() throws Exception {
    Path json = directory.resolve("figures.json");
    try (EmbeddedCluster cluster = EmbeddedCluster.builder().start()) {
      List<String> arguments =
          List.of(
              "client",
              "--against=" + cluster.masterAddresses(),
              "--scale=0.00005",
              "--scan-rows=300",
              "--singles=20",
              "--rounds=1",
              "--warm-up=0",
              "--heap-mb=256",
              "--json=" + json);
      assertThat(BenchRun.run(arguments.toArray(String[]::new)))
          .contains("| Kudu4j's client | ratio | published client |");
    }
    JsonNode figures = new ObjectMapper().readTree(json.toFile()).path("figures");
    for (Task task : Task.values()) {
      for (Measure measure : task.measures()) {
        String key = new ClientFigure(true, task, measure).key();
        for (String side : List.of("ours", "published")) {
          JsonNode median = figures.path(key).path(side).path("median");
          assertThat(median.isNumber()).as("%s of %s", key, side).isTrue();
          if (measure != Measure.CPU) { // in ticks of 10 ms, and these tasks are short
            assertThat(median.asDouble()).as("%s of %s", key, side).isPositive();
          }
        }
      }
    }
  }
}
