package dev.kudu4j.tools.local;

import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.embedded.ClusterPorts;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Option;

/**
 * The options of a local cluster. Options that are not given keep their values of the last start,
 * except the memory limit.
 */
final class LocalClusterOptions {
  static final int DEFAULT_TABLET_SERVERS = 3;

  @Option(
      names = "--dir",
      paramLabel = "DIR",
      defaultValue = "kudu-data",
      description = "Directory of all data of the cluster; default ./${DEFAULT-VALUE}.")
  private Path directory;

  @Option(
      names = "--masters",
      paramLabel = "N",
      description =
          "Number of masters: 1, 3 or 5; default 1. Cannot be changed after the first" + " start.")
  private Integer masters;

  @Option(
      names = "--tservers",
      paramLabel = "N",
      description =
          "Number of tablet servers; default 3 at the first start. Tables get three"
              + " replicas, or one replica if there are fewer than three tablet servers.")
  private Integer tabletServers;

  @Option(
      names = "--master-port",
      paramLabel = "PORT",
      description =
          "RPC port of the first master, the others +100 each; default 7051 at the"
              + " first start.")
  private Integer masterPort;

  @Option(
      names = "--master-web-port",
      paramLabel = "PORT",
      description =
          "Web port of the first master, the others +100 each; default 8051 at the"
              + " first start.")
  private Integer masterWebPort;

  @Option(
      names = "--tserver-port",
      paramLabel = "PORT",
      description =
          "RPC port of the first tablet server, the others +100 each; default 7050 at"
              + " the first start.")
  private Integer tabletServerPort;

  @Option(
      names = "--tserver-web-port",
      paramLabel = "PORT",
      description =
          "Web port of the first tablet server, the others +100 each; default 8050 at"
              + " the first start.")
  private Integer tabletServerWebPort;

  @Option(
      names = {"--memory_limit_hard_bytes", "--memory-limit-hard-bytes"},
      paramLabel = "BYTES",
      defaultValue = "0",
      description = "Memory limit of the process with all servers; default 1.5 GB.")
  private long memoryBytes;

  ClusterDirectory directory() {
    return new ClusterDirectory(directory.toAbsolutePath().normalize());
  }

  /**
   * The configuration that results from the options and the last start.
   *
   * @throws KuduException INVALID_ARGUMENT if it does not match the existing data
   */
  ClusterShape shape() throws IOException {
    Optional<ClusterShape> before = ClusterShape.read(directory().shapeFile());
    ClusterPorts known = before.map(ClusterShape::ports).orElse(ClusterPorts.STANDARD);
    ClusterPorts ports =
        new ClusterPorts(
            port("--master-port", masterPort, known.masterRpc()),
            port("--master-web-port", masterWebPort, known.masterWeb()),
            port("--tserver-port", tabletServerPort, known.tabletServerRpc()),
            port("--tserver-web-port", tabletServerWebPort, known.tabletServerWeb()));
    int servers =
        tabletServers != null
            ? tabletServers
            : before.map(ClusterShape::tabletServers).orElse(DEFAULT_TABLET_SERVERS);
    if (before.isPresent() && servers < before.get().tabletServers()) {
      throw KuduException.invalidArgument(
          "The cluster in %s has %d tablet servers with data; --tservers cannot be lower",
          directory, before.get().tabletServers());
    }
    return new ClusterShape(masters(before), servers, ports, memoryBytes);
  }

  private int masters(Optional<ClusterShape> before) {
    int known = before.map(ClusterShape::masters).orElse(1);
    if (masters == null || (before.isPresent() && masters == known)) {
      return known;
    }
    if (before.isPresent()) {
      throw KuduException.invalidArgument(
          "The cluster in %s was created with --masters=%d, which cannot be changed",
          directory, known);
    }
    if (masters < 1 || masters > 5 || masters % 2 == 0) {
      throw KuduException.invalidArgument("A cluster has 1, 3 or 5 masters, not %d", masters);
    }
    return masters;
  }

  private static int port(String option, Integer given, int known) {
    if (given == null) {
      return known;
    }
    if (given < 1 || given > 65535) {
      throw KuduException.invalidArgument(
          "%s %d is not a valid port; give 1 to 65535", option, given);
    }
    return given;
  }

  /** The options as arguments for another process. */
  static List<String> arguments(ClusterDirectory directory, ClusterShape shape) {
    List<String> all = new ArrayList<>();
    all.add("--dir=" + directory);
    all.add("--masters=" + shape.masters());
    all.add("--tservers=" + shape.tabletServers());
    all.add("--master-port=" + shape.ports().masterRpc());
    all.add("--master-web-port=" + shape.ports().masterWeb());
    all.add("--tserver-port=" + shape.ports().tabletServerRpc());
    all.add("--tserver-web-port=" + shape.ports().tabletServerWeb());
    all.add("--memory_limit_hard_bytes=" + shape.memoryBytes());
    return all;
  }
}
