package dev.kudu4j.benchmarks.freshness;

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
class FreshnessIT {
  @TempDir private Path directory;

  @Test
  @Timeout(value = 5, unit = TimeUnit.MINUTES)
  void noAnswerIsOlderThanAsked() throws Exception {
    Path json = directory.resolve("figures.json");
    try (EmbeddedCluster cluster = EmbeddedCluster.builder().start()) {
      StringWriter out = new StringWriter();
      StringWriter err = new StringWriter();
      CommandLine command = BenchCommand.commandLine();
      command.setOut(new PrintWriter(out)).setErr(new PrintWriter(err));
      int exitCode =
          command.execute(
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
      assertThat(exitCode).as("%s", err).isZero();
      assertThat(out.toString()).contains("all columns of all rows").contains("**Goals**");
    }
    JsonNode report = new ObjectMapper().readTree(json.toFile());
    assertThat(report.path("slots")).hasSize(9);
    assertThat(report.path("reads").path("checked").asInt()).isGreaterThanOrEqualTo(300);
    assertThat(report.path("reads").path("too_old").asInt()).isZero();
  }
}
