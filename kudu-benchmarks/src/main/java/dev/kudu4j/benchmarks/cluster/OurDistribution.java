package dev.kudu4j.benchmarks.cluster;

import dev.kudu4j.common.proto.cluster.FlushTabletRequestPB;
import dev.kudu4j.common.proto.cluster.FlushTabletResponsePB;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** Kudu4j, started with {@code bin/kudu}, as an operator does. */
public final class OurDistribution implements Distribution {
  private static final String ADMIN_SERVICE = "kudu.tserver.TabletServerAdminService";

  private final Path script;
  private final String javaOptions;

  /**
   * @param home the directory that contains {@code bin/kudu}
   */
  public OurDistribution(Path home) {
    this(home, "");
  }

  /**
   * @param home the directory that contains {@code bin/kudu}
   * @param javaOptions JVM options, appended to those of the script
   */
  public OurDistribution(Path home, String javaOptions) {
    this.javaOptions = javaOptions;
    this.script = home.resolve("bin").resolve("kudu");
    if (!script.toFile().canExecute()) {
      throw new IllegalArgumentException(
          "No executable " + script + "; specify the project's directory with --home");
    }
  }

  @Override
  public List<String> command(Daemon daemon) {
    return List.of(script.toString(), daemon.command(), "run");
  }

  @Override
  public List<String> flags(Daemon daemon) {
    return List.of();
  }

  @Override
  public Map<String, String> environment() {
    return javaOptions.isEmpty() ? Map.of() : Map.of("KUDU4J_JAVA_OPTIONS", javaOptions);
  }

  @Override
  public void flush(ServerProcess tabletServer, StatusClient rpc) {
    FlushTabletResponsePB answer =
        rpc.call(
            tabletServer.address(),
            ADMIN_SERVICE,
            "FlushTablet",
            FlushTabletRequestPB.getDefaultInstance(),
            FlushTabletResponsePB.parser());
    if (answer.hasError()) {
      throw new IllegalStateException("FlushTablet failed: " + answer.getError());
    }
  }

  @Override
  public long dataBytes(ServerProcess tabletServer, StatusClient rpc) {
    ServerCounts counts = ServerCounts.read(rpc.webAddress(tabletServer.address()));
    return (long) counts.sum("kudu_data_files_bytes", "");
  }
}
