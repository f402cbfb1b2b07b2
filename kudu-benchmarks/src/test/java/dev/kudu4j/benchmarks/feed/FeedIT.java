package dev.kudu4j.benchmarks.feed;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.kudu4j.benchmarks.BenchCommand;
import dev.kudu4j.embedded.EmbeddedCluster;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** The command with few rows, on a cluster in this JVM. */
class FeedIT {
  @TempDir private Path directory;

  @Test
  @Timeout(value = 2, unit = TimeUnit.MINUTES)
  void theConsumerFollows() throws Exception {
    Path json = directory.resolve("figures.json");
    try (EmbeddedCluster cluster = EmbeddedCluster.builder().start()) {
      StringWriter out = new StringWriter();
      StringWriter err = new StringWriter();
      CommandLine command = BenchCommand.commandLine();
      command.setOut(new PrintWriter(out)).setErr(new PrintWriter(err));
      int exitCode =
          command.execute(
              "feed",
              "--against=" + cluster.masterAddresses(),
              "--replicas=1",
              "--rows=5000",
              "--rates=1000",
              "--seconds=1",
              "--json=" + json);
      assertThat(exitCode).as("%s", err).isZero();
      assertThat(out.toString()).contains("All changes").contains("Lag");
    }
    JsonNode report = new ObjectMapper().readTree(json.toFile());
    assertThat(report.path("reads")).hasSize(2);
    assertThat(report.path("changes").path(0).asInt()).isPositive();
  }
}
