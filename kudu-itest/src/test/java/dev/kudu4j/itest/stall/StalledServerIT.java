package dev.kudu4j.itest.stall;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kudu4j.itest.support.Daemon;
import dev.kudu4j.itest.support.LocalCluster;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A tablet server is paused, and far more operations are applied than fit into the client's memory.
 * Every operation has an outcome, each error comes at the deadline and names the cause, and the
 * client continues when the server does.
 */
class StalledServerIT {
  private static final int MINUTES = 8;

  @TempDir private Path directory;

  @Test
  void aHundredThousandOperationsGetOutcomesFromAStalledServer() throws Exception {
    apply(100_000, 1_500, 96);
  }

  /** Long enough for the client to detect that the server is silent, and to retry repeatedly. */
  @Test
  @Tag("nightly")
  void aMillionOperationsGetOutcomesFromAStalledServer() throws Exception {
    apply(1_000_000, 8_000, 256);
  }

  private void apply(int operations, int timeoutMillis, int heapMegabytes) throws Exception {
    try (LocalCluster cluster = new LocalCluster(directory, "--time_source=system_unsync")) {
      cluster.start();
      Daemon server = cluster.tabletServer();
      Path log = directory.resolve("client.log");
      Process client =
          new ProcessBuilder(
                  Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                  "-Xmx" + heapMegabytes + "m",
                  "-XX:MaxDirectMemorySize=64m",
                  "-XX:+ExitOnOutOfMemoryError",
                  "-ea",
                  "-cp",
                  System.getProperty("java.class.path"),
                  StalledLoad.class.getName(),
                  cluster.masters(),
                  Long.toString(server.pid()),
                  server.address(),
                  Integer.toString(operations),
                  Integer.toString(timeoutMillis))
              .redirectErrorStream(true)
              .redirectOutput(log.toFile())
              .start();
      try {
        client.getOutputStream().close();
        boolean ended = client.waitFor(MINUTES, TimeUnit.MINUTES);
        String output = Files.readString(log);
        System.out.print(output);
        assertThat(ended).as("%s", output).isTrue();
        assertThat(client.exitValue()).as("%s", output).isZero();
        assertThat(output).contains("stalled server: all is accounted for");
      } finally {
        client.destroyForcibly();
        server.resume();
      }
    }
  }
}
