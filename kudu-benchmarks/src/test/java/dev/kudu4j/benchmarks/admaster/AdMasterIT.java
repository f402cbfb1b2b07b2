package dev.kudu4j.benchmarks.admaster;

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

/** The workloads with few events, on a cluster in this JVM. */
class AdMasterIT {
  @TempDir private Path directory;

  /** The command fails if answers of plans differ. */
  @Test
  @Timeout(value = 5, unit = TimeUnit.MINUTES)
  void allPlansHaveTheSameAnswers() throws Exception {
    Path json = directory.resolve("figures.json");
    try (EmbeddedCluster cluster = EmbeddedCluster.builder().start()) {
      StringWriter out = new StringWriter();
      StringWriter err = new StringWriter();
      CommandLine command = BenchCommand.commandLine();
      command.setOut(new PrintWriter(out)).setErr(new PrintWriter(err));
      int exitCode =
          command.execute(
              "admaster",
              "--against=" + cluster.masterAddresses(),
              "--rows=3000",
              "--rounds=1",
              "--warm-up=0",
              "--turn-millis=1",
              "--goals",
              "--json=" + json);
      assertThat(exitCode).as("%s", err).isZero();
      assertThat(out.toString()).contains("W4, date and OS, all columns").contains("**Goals**");
    }
    JsonNode report = new ObjectMapper().readTree(json.toFile());
    assertThat(report.path("queries")).hasSize(4);
    assertThat(report.path("goals")).hasSize(4);
  }
}
