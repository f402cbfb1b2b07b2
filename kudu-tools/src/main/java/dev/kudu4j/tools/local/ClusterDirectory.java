package dev.kudu4j.tools.local;

import dev.kudu4j.common.status.KuduException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/**
 * The directory of a local cluster.
 *
 * <pre>
 *   kudu-data/lock                 locked by the process that runs the cluster; contains its pid
 *   kudu-data/cluster.properties   {@link ClusterShape}: servers, ports, memory
 *   kudu-data/cluster-secret       authenticates servers to one another; only the owner may read it
 *   kudu-data/kudu.log             log of the last start; kudu.log.1: log of the previous start
 *   kudu-data/master, tserver-0, ...   the servers' files
 * </pre>
 */
record ClusterDirectory(Path path) {
  Path lockFile() {
    return path.resolve("lock");
  }

  Path shapeFile() {
    return path.resolve("cluster.properties");
  }

  Path logFile() {
    return path.resolve("kudu.log");
  }

  /** Creates the directory, and renames the log of the last start to {@code kudu.log.1}. */
  void prepare() throws IOException {
    if (Files.exists(path) && !Files.isDirectory(path)) {
      throw KuduException.configuration("%s is not a directory; choose another --dir", path);
    }
    Files.createDirectories(path);
    if (!Files.isWritable(path)) {
      throw KuduException.configuration(
          "User %s cannot write to the directory %s; change its owner or choose another --dir",
          System.getProperty("user.name"), path);
    }
    if (Files.exists(logFile())) {
      Files.move(logFile(), path.resolve("kudu.log.1"), StandardCopyOption.REPLACE_EXISTING);
    }
  }

  @Override
  public String toString() {
    return path.toString();
  }
}
