package dev.kudu4j.tools.local;

import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.embedded.ClusterPorts;
import dev.kudu4j.embedded.EmbeddedCluster;
import java.io.IOException;
import java.io.Reader;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Optional;
import java.util.Properties;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The configuration of a local cluster, stored next to its data. A later start without options
 * starts the same cluster, and {@code kudu status} reads the addresses from it.
 *
 * @param memoryBytes memory limit of the process; 0 for the default
 */
record ClusterShape(int masters, int tabletServers, ClusterPorts ports, long memoryBytes) {
  private static final String MASTERS = "masters";
  private static final String TSERVERS = "tservers";
  private static final String MASTER_PORT = "master_port";
  private static final String MASTER_WEB_PORT = "master_web_port";
  private static final String TSERVER_PORT = "tserver_port";
  private static final String TSERVER_WEB_PORT = "tserver_web_port";
  private static final String MEMORY = "memory_limit_hard_bytes";

  /** The addresses for clients of the cluster. */
  String masterAddresses() {
    return IntStream.range(0, masters)
        .mapToObj(i -> EmbeddedCluster.HOST + ":" + ports.masterRpc(i))
        .collect(Collectors.joining(","));
  }

  /**
   * Reads the configuration; empty if the file does not exist, because no cluster was ever started
   * in the directory.
   */
  static Optional<ClusterShape> read(Path file) throws IOException {
    if (!Files.exists(file)) {
      return Optional.empty();
    }
    Properties properties = new Properties();
    try (Reader reader = Files.newBufferedReader(file)) {
      properties.load(reader);
    }
    ClusterPorts ports =
        new ClusterPorts(
            number(file, properties, MASTER_PORT),
            number(file, properties, MASTER_WEB_PORT),
            number(file, properties, TSERVER_PORT),
            number(file, properties, TSERVER_WEB_PORT));
    return Optional.of(
        new ClusterShape(
            properties.containsKey(MASTERS) ? number(file, properties, MASTERS) : 1,
            number(file, properties, TSERVERS),
            ports,
            Long.parseLong(properties.getProperty(MEMORY, "0"))));
  }

  private static int number(Path file, Properties properties, String name) {
    String text = properties.getProperty(name, "");
    try {
      return Integer.parseInt(text);
    } catch (NumberFormatException e) {
      throw KuduException.corruption(
          "%s contains %s=%s, which is not a number; correct it", file, name, text);
    }
  }

  void write(Path file) throws IOException {
    Properties properties = new Properties();
    properties.setProperty(MASTERS, Integer.toString(masters));
    properties.setProperty(TSERVERS, Integer.toString(tabletServers));
    properties.setProperty(MASTER_PORT, Integer.toString(ports.masterRpc()));
    properties.setProperty(MASTER_WEB_PORT, Integer.toString(ports.masterWeb()));
    properties.setProperty(TSERVER_PORT, Integer.toString(ports.tabletServerRpc()));
    properties.setProperty(TSERVER_WEB_PORT, Integer.toString(ports.tabletServerWeb()));
    properties.setProperty(MEMORY, Long.toString(memoryBytes));
    Path aside = file.resolveSibling(file.getFileName() + ".new");
    try (Writer writer = Files.newBufferedWriter(aside)) {
      properties.store(writer, "Written by kudu start, and read at the next start");
    }
    Files.move(aside, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }
}
