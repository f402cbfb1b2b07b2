package dev.kudu4j.tools.connection;

import dev.kudu4j.common.status.KuduException;
import java.io.IOException;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.error.YAMLException;

/**
 * Clusters with names, from the file {@code kudurc} in the directory in the environment variable
 * {@code KUDU_CONFIG}. The format is that of Apache Kudu's tool:
 *
 * <pre>
 * clusters_info:
 *   dev:
 *     master_addresses: a:7051,b:7051,c:7051
 * </pre>
 *
 * <p>Other keys are ignored.
 */
final class ClusterNames {
  static final String VARIABLE = "KUDU_CONFIG";
  private static final String FILE = "kudurc";
  private static final String CLUSTERS = "clusters_info";
  private static final String MASTERS = "master_addresses";
  private static final String FORM =
      CLUSTERS + ": {NAME: {" + MASTERS + ": \"HOST:PORT,HOST:PORT\"}}";

  private final String directory;

  /**
   * @param directory directory of the file; null or blank if not set
   */
  ClusterNames(String directory) {
    this.directory = directory;
  }

  static ClusterNames ofEnvironment() {
    return new ClusterNames(System.getenv(VARIABLE));
  }

  /**
   * The masters of a cluster.
   *
   * @param name without the {@code @}
   * @throws KuduException NOT_FOUND if there is no file or no such cluster, INVALID_ARGUMENT if the
   *     file is malformed
   */
  Masters masters(String name) {
    Path file = file(name);
    Map<?, ?> clusters =
        map(read(file), CLUSTERS).orElseThrow(() -> malformed(file, "there is no " + CLUSTERS));
    Map<?, ?> cluster =
        map(clusters, name).orElseThrow(() -> unknown(name, file, clusters.keySet()));
    String where = "cluster " + name;
    if (!(cluster.get(MASTERS) instanceof String addresses)) {
      throw malformed(file, where + " has no " + MASTERS + " as a text");
    }
    try {
      return Masters.ofAddresses(addresses, false);
    } catch (KuduException e) {
      throw malformed(file, where + ": " + e.getMessage());
    }
  }

  private Path file(String name) {
    if (directory == null || directory.isBlank()) {
      throw KuduException.notFound(
          "@%s is the name of a cluster, but the environment variable %s is not set;"
              + " set it to the directory of the file %s, or give the addresses of the"
              + " masters",
          name, VARIABLE, FILE);
    }
    Path file = Path.of(directory, FILE);
    if (!Files.isRegularFile(file)) {
      throw KuduException.notFound(
          "@%s is the name of a cluster, but there is no file %s; its format is %s",
          name, file, FORM);
    }
    return file;
  }

  private static Object read(Path file) {
    try (Reader reader = Files.newBufferedReader(file)) {
      return new Yaml(new SafeConstructor(new LoaderOptions())).load(reader);
    } catch (MarkedYAMLException e) {
      int line = e.getProblemMark() == null ? 0 : e.getProblemMark().getLine() + 1;
      throw malformed(file, "line " + line + ": " + e.getProblem());
    } catch (YAMLException e) {
      throw malformed(file, e.getMessage());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The value at a key, if both {@code from} and the value are maps; else empty. */
  private static Optional<Map<?, ?>> map(Object from, String key) {
    Object found = from instanceof Map<?, ?> map ? map.get(key) : null;
    return found instanceof Map<?, ?> map ? Optional.of(map) : Optional.empty();
  }

  private static KuduException malformed(Path file, String problem) {
    return KuduException.invalidArgument("%s: %s; the format is %s", file, problem, FORM);
  }

  private static KuduException unknown(String name, Path file, Collection<?> keys) {
    Collection<String> names = keys.stream().map(String::valueOf).toList();
    String known =
        names.isEmpty()
            ? "it has no clusters"
            : "it has " + names.stream().sorted().collect(Collectors.joining(", "));
    return KuduException.notFound(
        "There is no cluster '%s' in %s; %s%s", name, file, SimilarName.hint(name, names), known);
  }
}
