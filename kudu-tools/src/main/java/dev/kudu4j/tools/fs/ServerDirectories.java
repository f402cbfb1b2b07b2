package dev.kudu4j.tools.fs;

import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.server.fs.Instance;
import dev.kudu4j.server.raft.log.RaftLogs;
import dev.kudu4j.tablet.superblock.SuperblockFile;
import dev.kudu4j.tablet.superblock.TombstoneFile;
import dev.kudu4j.tools.console.Names;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;
import picocli.CommandLine.Option;

/** The directories of a server, given by the same flags that the server has. */
class ServerDirectories {
  @Option(
      names = {"--fs_wal_dir", "--fs-wal-dir"},
      paramLabel = "DIR",
      description = "The directory of the server's write-ahead logs and identity.")
  private Path walDirectory;

  @Option(
      names = {"--fs_data_dirs", "--fs-data-dirs"},
      paramLabel = "DIR",
      split = ",",
      description = "The directories of its tablets; default: the directory of the logs.")
  private List<Path> dataDirectories = new ArrayList<>();

  /** The path that was given instead of the flags; null if none. */
  Path path() {
    return null;
  }

  /**
   * The given path or, without one, the server's log directory or else its first data directory.
   */
  Path root() {
    Path path = path();
    if (path != null && (walDirectory != null || !dataDirectories.isEmpty())) {
      throw KuduException.invalidArgument(
          "Both %s and --fs_wal_dir or --fs_data_dirs are given; give only one of them", path);
    }
    Path root = path != null ? path : walDirectory;
    if (root == null && !dataDirectories.isEmpty()) {
      root = dataDirectories.get(0);
    }
    if (root == null) {
      throw KuduException.invalidArgument(
          "No directory is given; give --fs_wal_dir, and --fs_data_dirs if the server has"
              + " it, or a path");
    }
    if (!Files.exists(root)) {
      throw KuduException.notFound("There is no directory %s; check the path", root);
    }
    return root;
  }

  /** The given path if it is a file; else empty. */
  Optional<Path> singleFile() {
    return Optional.of(root()).filter(Files::isRegularFile);
  }

  /** All directories in which a server may hold a lock. */
  List<Path> lockable() {
    LinkedHashSet<Path> all = new LinkedHashSet<>(dataDirectories);
    Path root = root().toAbsolutePath().normalize();
    all.add(root);
    if (singleFile().isPresent()) {
      root = root.getParent();
    }
    Path above = root.getParent() == null ? null : root.getParent().getParent();
    if (isTablet(root) && above != null) {
      all.add(above);
    }
    return List.copyOf(all);
  }

  /** The identity of the server; empty if only a tablet was given. */
  Optional<Instance> instance() throws IOException {
    Path file = root().resolve(Instance.FILE_NAME);
    return Files.isRegularFile(file) ? Optional.of(Instance.read(file)) : Optional.empty();
  }

  /** The directories of the tablets, in the order of the data directories, then by name. */
  List<Path> tablets() throws IOException {
    Path root = root();
    if (isTablet(root)) {
      return List.of(root);
    }
    List<Path> all = new ArrayList<>();
    boolean found = Files.isRegularFile(root.resolve(Instance.FILE_NAME));
    for (Path directory : dataDirectories.isEmpty() ? List.of(root) : dataDirectories) {
      Path data = directory.resolve("data");
      if (Files.isDirectory(data)) {
        found = true;
        children(data).stream().filter(Files::isDirectory).forEach(all::add);
      } else if (!dataDirectories.isEmpty()) {
        throw KuduException.notFound(
            "Directory %s of --fs_data_dirs has no tablets; check the path", directory);
      }
    }
    if (!found) {
      throw KuduException.notFound(
          "%s is neither the directory of a server nor of a tablet; give the server's"
              + " --fs_wal_dir",
          root);
    }
    return all;
  }

  /**
   * The directories of the tablets whose ids match the patterns, in which * stands for any
   * characters.
   */
  List<Path> tablets(String pattern) throws IOException {
    Predicate<String> wanted = Names.like(List.of(pattern));
    List<Path> found =
        tablets().stream().filter(tablet -> wanted.test(tablet.getFileName().toString())).toList();
    if (found.isEmpty()) {
      throw KuduException.notFound(
          "There is no replica of tablet %s in %s; kudu local_replica list lists the replicas",
          pattern, root());
    }
    return found;
  }

  /** The directories of Raft logs; empty if only a tablet was given. */
  List<Path> raftLogs() throws IOException {
    Path wals = root().resolve("wals");
    return Files.isDirectory(wals)
        ? children(wals).stream().filter(log -> Files.isDirectory(log.resolve("current"))).toList()
        : List.of();
  }

  /**
   * Whether the directory remained after a crash during the creation or deletion of a tablet: it
   * has no superblock, and the tablet has no Raft log that needs one. The server removes it when
   * the tablet is created or deleted again.
   */
  boolean isRemainder(Path tablet) throws IOException {
    boolean ofServer = Files.isRegularFile(root().resolve(Instance.FILE_NAME));
    return ofServer
        && !isTablet(tablet)
        && !isTombstone(tablet)
        && !RaftLogs.exists(root().resolve("wals"), tablet.getFileName().toString());
  }

  /** Whether the replica is a tombstone or an incomplete copy. */
  boolean isTombstone(Path tablet) {
    return Files.isRegularFile(tablet.resolve(TombstoneFile.NAME));
  }

  private static boolean isTablet(Path directory) {
    return Files.isRegularFile(directory.resolve(SuperblockFile.NAME));
  }

  static List<Path> children(Path directory) throws IOException {
    try (Stream<Path> entries = Files.list(directory)) {
      return entries.sorted().toList();
    }
  }
}
