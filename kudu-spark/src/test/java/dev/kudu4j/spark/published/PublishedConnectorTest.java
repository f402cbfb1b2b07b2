package dev.kudu4j.spark.published;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kudu4j.embedded.EmbeddedCluster;
import dev.kudu4j.spark.flights.NycFlights;
import java.io.File;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Apache Kudu's connector, kudu-spark3_2.12, on Spark 3.5 works on our cluster as on Apache Kudu's.
 * It needs Scala 2.12 and an older Netty, so it runs in a separate JVM. {@code
 * kudu-spark/published/pom.xml} resolves its class path in the nightly build:
 *
 * <pre>mvn -pl kudu-spark -am verify -Dtest.excludedGroups=none -Dtest=PublishedConnectorTest
 *   -Dsurefire.failIfNoSpecifiedTests=false</pre>
 */
@Tag("nightly")
class PublishedConnectorTest {
  private static final Path CLASSPATH = Path.of("published/target/classpath.txt");
  private static final Path PROGRAM = Path.of("src/test/published/PublishedConnector.java");
  private static final long MINUTES = 8;

  @TempDir Path directory;

  @Test
  void readsFiltersUpsertsAndDeletes() throws Exception {
    assertThat(CLASSPATH).as("made by the nightly build").exists();
    NycFlights.unpackTo(directory);
    File output = directory.resolve("output").toFile();

    try (EmbeddedCluster cluster =
        EmbeddedCluster.builder().memoryPerServerBytes(512L << 20).start()) {
      Process process =
          new ProcessBuilder(command(cluster.masterAddresses()))
              .redirectErrorStream(true)
              .redirectOutput(output)
              .start();
      try {
        assertThat(process.waitFor(MINUTES, TimeUnit.MINUTES)).isTrue();
      } finally {
        process.destroyForcibly().waitFor();
      }
      assertThat(process.exitValue()).as(Files.readString(output.toPath())).isZero();
    }
    assertThat(Files.readString(output.toPath()))
        .contains("Spark 3.5")
        .contains("loaded: 336776 rows")
        .contains("where carrier = 'UA': 58665 rows")
        .contains("All is as it should be");
  }

  private List<String> command(String masters) throws Exception {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-Xmx1g");
    command.add("-XX:+UseParallelGC");
    ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
        .filter(argument -> argument.startsWith("--add-opens"))
        .forEach(command::add);
    command.add("-cp");
    command.add(Files.readString(CLASSPATH).strip());
    command.add(PROGRAM.toString());
    command.add(masters);
    command.add(directory.resolve("flights.csv").toString());
    return command;
  }
}
