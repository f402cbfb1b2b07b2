package dev.kudu4j.tablet.env;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Local files of which pictures are taken: after every call that changes something, what a process
 * that is killed then leaves, and, where it is less, what is durable for certain when power is
 * lost.
 *
 * <pre>
 *   create a, append    killed: a with its bytes      power lost: nothing
 *   sync a              killed: a                     power lost: nothing
 *   sync directory      killed: a                     power lost: a
 *   delete b            killed: no b                  power lost: b
 * </pre>
 *
 * <p>A picture is a directory of its own, on which a server can be started. Files that get there in
 * another way are in every picture as they are. Thread-safe.
 */
public final class FilmedFileStore implements FileStore {
  /**
   * What is on disk at one moment.
   *
   * @param moment the call that had just returned, and how the machine ended
   * @param directory a copy of the filmed one
   */
  public record Picture(String moment, Path directory) {
    @Override
    public String toString() {
      return directory.getFileName() + ": " + moment;
    }
  }

  private final LocalFileStore files = new LocalFileStore();
  private final Path filmed;
  private final Path album;

  @GuardedBy("this")
  private final Map<Path, Long> durableLengths = new HashMap<>();

  @GuardedBy("this")
  private final Set<Path> unsyncedEntries = new HashSet<>();

  /** Where the bytes of files are whose removal is not durable. */
  @GuardedBy("this")
  private final Map<Path, Path> unsyncedRemovals = new HashMap<>();

  @GuardedBy("this")
  private final List<Picture> pictures = new ArrayList<>();

  @GuardedBy("this")
  private boolean rolling;

  @GuardedBy("this")
  private int removed;

  /**
   * @param filmed a directory with all that is to be seen
   * @param album where the pictures go, outside of it
   */
  public FilmedFileStore(Path filmed, Path album) throws IOException {
    this.filmed = filmed;
    this.album = Files.createDirectories(album);
  }

  /** Files handed out and not closed. */
  public int openFiles() {
    return files.openFiles();
  }

  /** From here on pictures are taken. */
  public synchronized void action() {
    rolling = true;
  }

  /** No more of them. */
  public synchronized List<Picture> cut() {
    rolling = false;
    return List.copyOf(pictures);
  }

  @GuardedBy("this")
  private void changed(String call, Path path) throws IOException {
    if (!rolling) {
      return;
    }
    String moment = call + " " + filmed.relativize(path);
    take(moment + ", killed", false);
    if (!durableLengths.isEmpty() || !unsyncedEntries.isEmpty() || !unsyncedRemovals.isEmpty()) {
      take(moment + ", power lost", true);
    }
  }

  @GuardedBy("this")
  private void take(String moment, boolean powerLost) throws IOException {
    Path picture = album.resolve(String.format("%03d", pictures.size()));
    for (Path file : regularFiles(filmed)) {
      if (!powerLost || !unsyncedEntries.contains(file)) {
        byte[] bytes = Files.readAllBytes(file);
        long length = powerLost ? durableLengths.getOrDefault(file, Long.MAX_VALUE) : bytes.length;
        put(picture, file, length < bytes.length ? Arrays.copyOf(bytes, (int) length) : bytes);
      }
    }
    if (powerLost) {
      for (Map.Entry<Path, Path> removal : unsyncedRemovals.entrySet()) {
        put(picture, removal.getKey(), Files.readAllBytes(removal.getValue()));
      }
    }
    pictures.add(new Picture(moment, picture));
  }

  private void put(Path picture, Path file, byte[] bytes) throws IOException {
    Path copy = picture.resolve(filmed.relativize(file));
    Files.createDirectories(copy.getParent());
    Files.write(copy, bytes);
  }

  private static List<Path> regularFiles(Path directory) throws IOException {
    try (Stream<Path> all = Files.walk(directory)) {
      return all.filter(Files::isRegularFile).toList();
    }
  }

  @GuardedBy("this")
  private void settle(Path directory) {
    unsyncedEntries.removeIf(file -> directory.equals(file.getParent()));
    unsyncedRemovals.keySet().removeIf(file -> directory.equals(file.getParent()));
  }

  @GuardedBy("this")
  private void remove(Path file) throws IOException {
    durableLengths.remove(file);
    if (!unsyncedEntries.remove(file)) {
      Path kept = Files.createDirectories(album.resolve("removed")).resolve("" + removed++);
      Files.createLink(kept, file);
      unsyncedRemovals.put(file, kept);
    }
  }

  @Override
  public synchronized WritableFile create(Path path) throws IOException {
    WritableFile file = files.create(path);
    unsyncedEntries.add(path);
    durableLengths.put(path, 0L);
    changed("create", path);
    return new FilmedFile(path, file);
  }

  @Override
  public ReadableFile open(Path path) throws IOException {
    return files.open(path);
  }

  @Override
  public synchronized void replace(Path path, byte[] content) throws IOException {
    files.replace(path, content);
    settle(Objects.requireNonNull(path.getParent()));
    changed("replace", path);
  }

  @Override
  public byte[] readAll(Path path) throws IOException {
    return files.readAll(path);
  }

  @Override
  public boolean exists(Path path) {
    return files.exists(path);
  }

  @Override
  public List<String> list(Path directory) throws IOException {
    return files.list(directory);
  }

  @Override
  public synchronized void delete(Path path) throws IOException {
    remove(path);
    files.delete(path);
    changed("delete", path);
  }

  @Override
  public synchronized void deleteTree(Path directory) throws IOException {
    if (!exists(directory)) {
      return;
    }
    for (Path file : regularFiles(directory)) { // one by one, since it may end after each
      delete(file);
    }
    files.deleteTree(directory);
    changed("delete", directory);
  }

  /** A tree that was removed comes back as a whole, or is gone as a whole. */
  @Override
  public synchronized void syncDirectory(Path directory) throws IOException {
    files.syncDirectory(directory);
    settle(directory);
    unsyncedRemovals
        .keySet()
        .removeIf(file -> file.startsWith(directory) && !Files.exists(file.getParent()));
    changed("sync", directory);
  }

  private final class FilmedFile implements WritableFile {
    private final Path path;
    private final WritableFile file;

    FilmedFile(Path path, WritableFile file) {
      this.path = path;
      this.file = file;
    }

    @Override
    public void append(long address, int bytes) throws IOException {
      synchronized (FilmedFileStore.this) {
        file.append(address, bytes);
        changed("append to", path);
      }
    }

    @Override
    public void append(byte[] bytes, int offset, int length) throws IOException {
      synchronized (FilmedFileStore.this) {
        file.append(bytes, offset, length);
        changed("append to", path);
      }
    }

    @Override
    public long position() {
      return file.position();
    }

    @Override
    public void sync() throws IOException {
      synchronized (FilmedFileStore.this) {
        file.sync();
        durableLengths.remove(path);
        changed("sync", path);
      }
    }

    @Override
    public void close() throws IOException {
      file.close();
    }
  }
}
