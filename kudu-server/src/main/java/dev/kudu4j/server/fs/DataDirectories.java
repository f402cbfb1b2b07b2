package dev.kudu4j.server.fs;

import dev.kudu4j.common.id.HexId;
import dev.kudu4j.common.status.KuduException;
import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.random.RandomGenerator;

/**
 * The list of a server's data directories, by which missing directories are detected. If a disk is
 * not mounted, its directory is empty or does not exist. Such a directory must not be treated as a
 * new one.
 *
 * <pre>
 *   --fs_wal_dir    data-directories   uuid and last path of every data directory
 *   --fs_data_dirs  data-directory     its uuid, and the uuid of its server
 * </pre>
 *
 * <p>A directory is identified by its uuid, so it may be mounted elsewhere. A new directory is
 * added to the list after its own file is written. After a crash between these two writes, it is
 * added at the next start. {@link #update} removes directories, including lost ones.
 */
public final class DataDirectories {
  static final String LIST_NAME = "data-directories";
  static final String FILE_NAME = "data-directory";
  private static final String FORMAT = "1";

  private final Path list;
  private final String serverUuid;
  private final RandomGenerator random;
  private final Map<String, Path> known;

  private DataDirectories(
      Path walDirectory, String serverUuid, RandomGenerator random, Map<String, Path> known) {
    this.list = walDirectory.resolve(LIST_NAME);
    this.serverUuid = serverUuid;
    this.random = random;
    this.known = known;
  }

  /**
   * Checks that all listed directories of a server exist; creates no directory.
   *
   * @throws KuduException CONFIGURATION_ERROR if a directory is missing or belongs to another
   *     server
   */
  static void check(Path walDirectory, String serverUuid, List<Path> directories)
      throws IOException {
    DataDirectories all = read(walDirectory, serverUuid, RandomGenerator.getDefault());
    all.checkComplete(all.find(directories), directories);
  }

  /**
   * Adds the new directories of a server.
   *
   * @param directories all directories of the server; they must exist and have passed {@link
   *     #check}
   */
  static void addNew(
      Path walDirectory, String serverUuid, List<Path> directories, RandomGenerator random)
      throws IOException {
    DataDirectories all = read(walDirectory, serverUuid, random);
    Map<String, Path> found = all.find(directories);
    all.add(directories, found);
    all.write(found);
  }

  /**
   * Sets the directories of a server that is not running.
   *
   * @return the paths of the removed directories, whose replicas the server has lost
   * @throws KuduException CONFIGURATION_ERROR if a directory belongs to another server
   */
  static List<Path> update(
      Path walDirectory, String serverUuid, List<Path> directories, RandomGenerator random)
      throws IOException {
    DataDirectories all = read(walDirectory, serverUuid, random);
    Map<String, Path> found = all.find(directories);
    List<Path> removed = all.missing(found);
    all.add(directories, found);
    all.write(found);
    return removed;
  }

  /** The paths of the listed directories of a server that are not among {@code directories}. */
  static List<Path> missing(Path walDirectory, String serverUuid, List<Path> directories)
      throws IOException {
    DataDirectories all = read(walDirectory, serverUuid, RandomGenerator.getDefault());
    return all.missing(all.find(directories));
  }

  private static DataDirectories read(Path walDirectory, String serverUuid, RandomGenerator random)
      throws IOException {
    Path list = walDirectory.resolve(LIST_NAME);
    Map<String, Path> known = new TreeMap<>();
    if (Files.exists(list)) {
      Properties properties = load(list);
      for (String uuid : properties.stringPropertyNames()) {
        if (HexId.isValid(uuid)) {
          known.put(uuid, Path.of(properties.getProperty(uuid)));
        }
      }
    }
    return new DataDirectories(walDirectory, serverUuid, random, known);
  }

  private List<Path> missing(Map<String, Path> found) {
    List<Path> missing = new ArrayList<>();
    known.forEach(
        (uuid, path) -> {
          if (!found.containsKey(uuid)) {
            missing.add(path);
          }
        });
    return missing;
  }

  /**
   * The directories among {@code directories} that contain a file {@link #FILE_NAME} of this
   * server, by uuid.
   */
  private Map<String, Path> find(List<Path> directories) throws IOException {
    Map<String, Path> found = new LinkedHashMap<>();
    for (Path directory : directories) {
      Path file = directory.resolve(FILE_NAME);
      if (!Files.exists(file)) {
        continue;
      }
      Properties properties = load(file);
      String owner = properties.getProperty("server", "");
      if (!owner.equals(serverUuid)) {
        throw KuduException.configuration(
            "The data directory %s belongs to server %s, and this is server %s; check --fs_wal_dir"
                + " and --fs_data_dirs, and that their disks are mounted",
            directory, owner, serverUuid);
      }
      Path duplicate = found.put(properties.getProperty("uuid", ""), directory);
      if (duplicate != null && !duplicate.equals(directory)) {
        throw KuduException.configuration(
            "The data directories %s and %s are the same, or copies of each other; specify only one"
                + " of them",
            duplicate, directory);
      }
    }
    return found;
  }

  private void checkComplete(Map<String, Path> found, List<Path> directories) {
    List<Path> missing = missing(found);
    if (missing.isEmpty()) {
      return;
    }
    Path first = missing.get(0);
    throw KuduException.configuration(
        "%s. Is its disk mounted? If the directory is lost or no longer needed, run kudu fs"
            + " update_dirs; this server then loses the replicas in it",
        directories.contains(first)
            ? "The data directory %s contains no data of this server".formatted(first)
            : "The data directory %s of this server is not among --fs_data_dirs".formatted(first));
  }

  private void add(List<Path> directories, Map<String, Path> found) throws IOException {
    for (Path directory : directories) {
      if (found.containsValue(directory)) {
        continue;
      }
      String uuid = String.format(Locale.ROOT, "%016x%016x", random.nextLong(), random.nextLong());
      DurableFiles.write(
          directory.resolve(FILE_NAME),
          "# A data directory of a server. Do not edit, do not copy.\nformat_version="
              + FORMAT
              + "\nserver="
              + serverUuid
              + "\nuuid="
              + uuid
              + "\n");
      found.put(uuid, directory);
    }
  }

  private void write(Map<String, Path> found) throws IOException {
    if (found.equals(known)) {
      return;
    }
    StringBuilder text = new StringBuilder();
    text.append("# The data directories of this server. Changed by kudu fs update_dirs.\n");
    text.append("format_version=").append(FORMAT).append('\n');
    new TreeMap<>(found)
        .forEach(
            (uuid, path) ->
                text.append(uuid)
                    .append('=')
                    .append(path.toString().replace("\\", "\\\\"))
                    .append('\n'));
    DurableFiles.write(list, text.toString());
  }

  private static Properties load(Path file) throws IOException {
    Properties properties = new Properties();
    try {
      properties.load(new StringReader(Files.readString(file)));
    } catch (IllegalArgumentException e) {
      throw KuduException.corruption("The file %s cannot be read: %s", file, e);
    }
    String version = properties.getProperty("format_version", "");
    if (!version.equals(FORMAT)) {
      throw KuduException.notSupported(
          "The file %s has format '%s'; this release reads format %s", file, version, FORMAT);
    }
    return properties;
  }
}
