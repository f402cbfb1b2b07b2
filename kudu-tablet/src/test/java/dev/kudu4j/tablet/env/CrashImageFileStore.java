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
 * Local files that record crash images. After every call that changes something, it records an
 * image of the files that a killed process leaves and, if it differs, an image of the files that
 * are certainly durable after a power failure.
 *
 * <pre>
 *   create a, append    killed: a with its bytes      power lost: nothing
 *   sync a              killed: a                     power lost: nothing
 *   sync directory      killed: a                     power lost: a
 *   delete b            killed: no b                  power lost: b
 * </pre>
 *
 * <p>An image is a separate directory, on which a server can be started. Files that are written in
 * another way are in every image as they are. Thread-safe.
 */
public final class CrashImageFileStore implements FileStore {
  /**
   * What is on disk at one moment.
   *
   * @param moment the call that had just returned, and how the machine ended
   * @param directory a copy of the original directory
   */
  public record CrashImage(String moment, Path directory) {
    @Override
    public String toString() {
      return directory.getFileName() + ": " + moment;
    }
  }

  private final LocalFileStore files = new LocalFileStore();
  private final Path original;
  private final Path imageDirectory;

  @GuardedBy("this")
  private final Map<Path, Long> durableLengths = new HashMap<>();

  @GuardedBy("this")
  private final Set<Path> unsyncedEntries = new HashSet<>();

  /** Copies of removed files whose removal is not durable. */
  @GuardedBy("this")
  private final Map<Path, Path> unsyncedRemovals = new HashMap<>();

  @GuardedBy("this")
  private final List<CrashImage> images = new ArrayList<>();

  @GuardedBy("this")
  private boolean recording;

  @GuardedBy("this")
  private int removed;

  /**
   * @param original the directory whose files are recorded
   * @param imageDirectory where the images are stored, outside of the original
   */
  public CrashImageFileStore(Path original, Path imageDirectory) throws IOException {
    this.original = original;
    this.imageDirectory = Files.createDirectories(imageDirectory);
  }

  /** Files handed out and not closed. */
  public int openFiles() {
    return files.openFiles();
  }

  /** Starts recording. */
  public synchronized void start() {
    recording = true;
  }

  /** Stops recording and returns all images so far. */
  public synchronized List<CrashImage> stop() {
    recording = false;
    return List.copyOf(images);
  }

  @GuardedBy("this")
  private void changed(String call, Path path) throws IOException {
    if (!recording) {
      return;
    }
    String moment = call + " " + original.relativize(path);
    take(moment + ", killed", false);
    if (!durableLengths.isEmpty() || !unsyncedEntries.isEmpty() || !unsyncedRemovals.isEmpty()) {
      take(moment + ", power lost", true);
    }
  }

  @GuardedBy("this")
  private void take(String moment, boolean powerLost) throws IOException {
    Path image = imageDirectory.resolve(String.format("%03d", images.size()));
    for (Path file : regularFiles(original)) {
      if (!powerLost || !unsyncedEntries.contains(file)) {
        byte[] bytes = Files.readAllBytes(file);
        long length = powerLost ? durableLengths.getOrDefault(file, Long.MAX_VALUE) : bytes.length;
        put(image, file, length < bytes.length ? Arrays.copyOf(bytes, (int) length) : bytes);
      }
    }
    if (powerLost) {
      for (Map.Entry<Path, Path> removal : unsyncedRemovals.entrySet()) {
        put(image, removal.getKey(), Files.readAllBytes(removal.getValue()));
      }
    }
    images.add(new CrashImage(moment, image));
  }

  private void put(Path image, Path file, byte[] bytes) throws IOException {
    Path copy = image.resolve(original.relativize(file));
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
      Path kept =
          Files.createDirectories(imageDirectory.resolve("removed")).resolve("" + removed++);
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
    return new RecordedFile(path, file);
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
    for (Path file :
        regularFiles(directory)) { // one by one, because the process may end after each
      delete(file);
    }
    files.deleteTree(directory);
    changed("delete", directory);
  }

  /** A removed tree comes back completely or not at all. */
  @Override
  public synchronized void syncDirectory(Path directory) throws IOException {
    files.syncDirectory(directory);
    settle(directory);
    unsyncedRemovals
        .keySet()
        .removeIf(file -> file.startsWith(directory) && !Files.exists(file.getParent()));
    changed("sync", directory);
  }

  private final class RecordedFile implements WritableFile {
    private final Path path;
    private final WritableFile file;

    RecordedFile(Path path, WritableFile file) {
      this.path = path;
      this.file = file;
    }

    @Override
    public void append(long address, int bytes) throws IOException {
      synchronized (CrashImageFileStore.this) {
        file.append(address, bytes);
        changed("append to", path);
      }
    }

    @Override
    public void append(byte[] bytes, int offset, int length) throws IOException {
      synchronized (CrashImageFileStore.this) {
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
      synchronized (CrashImageFileStore.this) {
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
