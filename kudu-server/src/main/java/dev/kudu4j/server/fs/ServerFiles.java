package dev.kudu4j.server.fs;

import dev.kudu4j.common.id.HexId;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.common.time.ClockMemory;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.function.IntSupplier;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The directories of a running server, locked against a second process. Closing releases them.
 *
 * <p>A new tablet is placed in the data directory with the fewest tablets and stays there.
 */
public final class ServerFiles implements AutoCloseable {

  private final Path walDirectory;
  private final List<Path> dataDirectories;
  private final Instance instance;
  private final FileChannel lockChannel;
  private final ClockFile clock;
  private final boolean isNew;

  private ServerFiles(
      Path walDirectory,
      List<Path> dataDirectories,
      Instance instance,
      FileChannel lockChannel,
      ClockFile clock,
      boolean isNew) {
    this.walDirectory = walDirectory;
    this.dataDirectories = dataDirectories;
    this.instance = instance;
    this.lockChannel = lockChannel;
    this.clock = clock;
    this.isNew = isNew;
  }

  /**
   * Opens the directories of a server; creates them and the identity at the first start.
   *
   * @param daemon the program that opens the directories
   * @param random generates the uuid
   * @param freeRaftPort returns a free port for Raft; called once, at the first start
   * @throws KuduException CONFIGURATION_ERROR for directories that are unusable, in use or belong
   *     to another server, and for a missing data directory; CORRUPTION for a corrupt instance file
   */
  public static ServerFiles open(
      String daemon,
      Path walDirectory,
      List<Path> dataDirectories,
      RandomGenerator random,
      IntSupplier freeRaftPort) {
    List<Path> data = dataDirectories.isEmpty() ? List.of(walDirectory) : dataDirectories;
    makeUsable(walDirectory, "--fs_wal_dir");
    FileChannel lock = lock(walDirectory);
    try {
      Path file = walDirectory.resolve(Instance.FILE_NAME);
      boolean isNew = !Files.exists(file);
      Instance instance;
      if (isNew) {
        instance = new Instance(newUuid(random), daemon, freeRaftPort.getAsInt());
        DurableFiles.write(file, instance.encode());
      } else {
        instance = Instance.read(file);
        if (!instance.daemon().equals(daemon)) {
          throw KuduException.configuration(
              "The directory %s belongs to a %s, not to a %s; use a separate directory for each",
              walDirectory, instance.daemon(), daemon);
        }
      }
      DataDirectories.check(walDirectory, instance.uuid(), data);
      data.forEach(directory -> makeUsable(directory, "--fs_data_dirs"));
      DataDirectories.addNew(walDirectory, instance.uuid(), data, random);
      Files.createDirectories(walDirectory.resolve("wals"));
      for (Path directory : data) {
        Files.createDirectories(directory.resolve("data"));
        DurableFiles.syncDirectory(directory);
      }
      ClockFile clock = ClockFile.open(walDirectory);
      DurableFiles.syncDirectory(walDirectory);
      return new ServerFiles(walDirectory, List.copyOf(data), instance, lock, clock, isNew);
    } catch (IOException e) {
      closeQuietly(lock);
      throw KuduException.ioError(e, "Cannot use the directory %s: %s", walDirectory, e);
    } catch (RuntimeException e) {
      closeQuietly(lock);
      throw e;
    }
  }

  /**
   * Checks that the directories of a server exist. Called before any directory is created, because
   * a directory created in place of a missing one would hide the loss.
   *
   * @throws KuduException CONFIGURATION_ERROR if a data directory is missing or belongs to another
   *     server
   */
  public static void check(Path walDirectory, List<Path> dataDirectories) {
    Path file = walDirectory.resolve(Instance.FILE_NAME);
    if (!Files.exists(file)) {
      return; // the first start
    }
    List<Path> data = dataDirectories.isEmpty() ? List.of(walDirectory) : dataDirectories;
    try {
      DataDirectories.check(walDirectory, Instance.read(file).uuid(), data);
    } catch (IOException e) {
      throw KuduException.ioError(e, "Cannot use the directory %s: %s", walDirectory, e);
    }
  }

  /**
   * Sets the data directories of a server that is not running: adds new directories, and removes
   * those that are not among {@code dataDirectories}.
   *
   * @param evenIfLost whether to allow the removal of a directory with all its replicas
   * @return the paths of the removed directories
   * @throws KuduException CONFIGURATION_ERROR for directories that are unusable, in use or belong
   *     to another server; ILLEGAL_STATE if a directory would have to be removed and {@code
   *     evenIfLost} is false
   */
  public static List<Path> updateDataDirectories(
      Path walDirectory, List<Path> dataDirectories, boolean evenIfLost, RandomGenerator random)
      throws IOException {
    List<Path> data = dataDirectories.isEmpty() ? List.of(walDirectory) : dataDirectories;
    Instance instance = Instance.read(walDirectory.resolve(Instance.FILE_NAME));
    FileChannel lock = lock(walDirectory);
    try {
      List<Path> missing = DataDirectories.missing(walDirectory, instance.uuid(), data);
      if (!missing.isEmpty() && !evenIfLost) {
        throw KuduException.illegalState(
            "Data directories %s are registered with this server, but are not in --fs_data_dirs or"
                + " contain none of its data; use --force to unregister them and give up their"
                + " replicas",
            missing);
      }
      data.forEach(directory -> makeUsable(directory, "--fs_data_dirs"));
      return DataDirectories.update(walDirectory, instance.uuid(), data, random);
    } finally {
      closeQuietly(lock);
    }
  }

  private static void makeUsable(Path directory, String flag) {
    try {
      Files.createDirectories(directory);
    } catch (IOException e) {
      throw KuduException.configuration(
          "Cannot create the directory %s of %s: %s", directory, flag, e);
    }
    if (!Files.isWritable(directory) || !Files.isReadable(directory)) {
      throw KuduException.configuration(
          "The directory %s of %s cannot be read and written by user %s; change its owner or choose"
              + " another",
          directory, flag, System.getProperty("user.name"));
    }
  }

  private static FileChannel lock(Path walDirectory) {
    Path file = walDirectory.resolve("lock");
    @Nullable FileChannel channel = null;
    try {
      channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
      FileLock lock = channel.tryLock();
      if (lock != null) {
        return channel;
      }
    } catch (OverlappingFileLockException e) {
      // Another server of this process holds the lock; the exception below reports it.
    } catch (IOException e) {
      closeQuietly(channel);
      throw KuduException.configuration("Cannot lock %s: %s", file, e);
    }
    closeQuietly(channel);
    throw KuduException.configuration(
        "The directory %s is in use by another server; stop that server first, or choose another"
            + " --fs_wal_dir",
        walDirectory);
  }

  private static void closeQuietly(@Nullable FileChannel channel) {
    if (channel != null) {
      try {
        channel.close();
      } catch (IOException e) {
        // The lock is released with the process at the latest.
      }
    }
  }

  private static String newUuid(RandomGenerator random) {
    return String.format(Locale.ROOT, "%016x%016x", random.nextLong(), random.nextLong());
  }

  public Instance instance() {
    return instance;
  }

  /** Whether this is the server's first start. */
  public boolean isNew() {
    return isNew;
  }

  public Path walDirectory() {
    return walDirectory;
  }

  /**
   * The file with the upper bound of this server's clock in earlier runs. Only one clock may use
   * the file at a time.
   */
  public ClockMemory clock() {
    return clock;
  }

  /** The directory of the Raft logs. */
  public Path raftDirectory() {
    return walDirectory.resolve("wals");
  }

  public List<Path> dataDirectories() {
    return dataDirectories;
  }

  /**
   * The directory of a tablet on this server, or null if the tablet has none.
   *
   * @throws KuduException INVALID_ARGUMENT for an invalid id, because it could name another
   *     directory
   */
  public @Nullable Path findTablet(String tabletId) {
    HexId.require("The id of a tablet", tabletId);
    for (Path directory : tabletDirectories()) {
      Path tablet = directory.resolve(tabletId);
      if (Files.isDirectory(tablet)) {
        return tablet;
      }
    }
    return null;
  }

  /**
   * The path of a new tablet's directory, which does not exist yet.
   *
   * @throws KuduException INVALID_ARGUMENT for an invalid id, because it could name another
   *     directory
   */
  public Path placeTablet(String tabletId) throws IOException {
    HexId.require("The id of a tablet", tabletId);
    List<Path> directories = tabletDirectories();
    Path best = directories.get(0);
    int fewest = list(best).size();
    for (Path directory : directories.subList(1, directories.size())) {
      int count = list(directory).size();
      if (count < fewest) {
        fewest = count;
        best = directory;
      }
    }
    return best.resolve(tabletId);
  }

  /** The parent directories of all tablets' directories. */
  public List<Path> tabletDirectories() {
    return dataDirectories.stream().map(directory -> directory.resolve("data")).toList();
  }

  /**
   * The directories of all tablets on this server, sorted by name. Directories whose names are not
   * tablet ids are ignored.
   */
  public List<Path> tablets() throws IOException {
    List<Path> all = new ArrayList<>();
    for (Path directory : tabletDirectories()) {
      for (Path tablet : list(directory)) {
        if (HexId.isValid(tablet.getFileName().toString()) && Files.isDirectory(tablet)) {
          all.add(tablet);
        }
      }
    }
    all.sort(Comparator.comparing(Path::getFileName));
    return all;
  }

  private static List<Path> list(Path directory) throws IOException {
    try (Stream<Path> entries = Files.list(directory)) {
      return entries.toList();
    }
  }

  @Override
  public void close() {
    closeQuietly(lockChannel);
  }
}
