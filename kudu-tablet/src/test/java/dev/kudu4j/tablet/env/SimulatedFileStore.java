package dev.kudu4j.tablet.env;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.kudu4j.common.memory.Memory;
import java.io.EOFException;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.random.RandomGenerator;

/**
 * In-memory files that fail in the ways real files can. {@link #crash} discards unsynced bytes, and
 * directory entries whose directory was not synced. The store can also run out of space, fail calls
 * and flip bits.
 *
 * <pre>
 *   write --> bytes -- sync --> durable bytes       create, delete --> entries -- syncDirectory --> durable entries
 * </pre>
 *
 * <p>Directories are not modelled: a directory exists, durably, as soon as it contains something,
 * as the real store promises. Thread-safe. A crash closes nothing: handles from before it fail.
 */
public final class SimulatedFileStore implements FileStore {
  private static final class Content {
    byte[] bytes = new byte[0];
    int length;
    int durableLength;
    int lastWriteStart;

    void append(byte[] source, int offset, int count) {
      if (length + count > bytes.length) {
        bytes = Arrays.copyOf(bytes, Math.max(length + count, 2 * bytes.length));
      }
      System.arraycopy(source, offset, bytes, length, count);
      lastWriteStart = length;
      length += count;
    }
  }

  @GuardedBy("this")
  private TreeMap<Path, Content> entries = new TreeMap<>();

  @GuardedBy("this")
  private TreeMap<Path, Content> durableEntries = new TreeMap<>();

  @GuardedBy("this")
  private int openFiles;

  @GuardedBy("this")
  private int life;

  @GuardedBy("this")
  private long callsUntilFailure = Long.MAX_VALUE;

  @GuardedBy("this")
  private long failuresLeft;

  @GuardedBy("this")
  private long bytesUntilFull = Long.MAX_VALUE;

  @GuardedBy("this")
  private long calls;

  /** Files handed out since the last crash and not closed. */
  public synchronized int openFiles() {
    return openFiles;
  }

  /** The number of calls so far that {@link #failCall} could let fail. */
  public synchronized long calls() {
    return calls;
  }

  /** Lets the n-th call from now (1 is the next) fail with EIO; 0 cancels this. */
  public synchronized void failCall(long n) {
    failCalls(n, 1);
  }

  /**
   * Lets {@code count} calls fail with EIO, from the n-th call from now. A write that fails has
   * written its first half. A replacement that fails may nevertheless have happened.
   */
  public synchronized void failCalls(long n, long count) {
    callsUntilFailure = n <= 0 ? Long.MAX_VALUE : n;
    failuresLeft = n <= 0 ? 0 : count;
  }

  /** The disk is full after this many more bytes; Long.MAX_VALUE: never. */
  public synchronized void fillUpAfter(long bytes) {
    bytesUntilFull = bytes;
  }

  /** Flips one bit of a file, durably. */
  public synchronized void flipBit(Path path, long bit) throws IOException {
    Content content = content(path);
    content.bytes[(int) (bit >>> 3)] ^= (byte) (1 << (bit & 7));
  }

  /** Truncates a file, durably. */
  public synchronized void truncate(Path path, int length) throws IOException {
    Content content = content(path);
    content.length = Math.min(content.length, length);
    content.durableLength = Math.min(content.durableLength, length);
  }

  /** Creates or replaces a file, durably, for test data. */
  public synchronized void put(Path path, byte[] bytes) {
    Content content = new Content();
    content.append(bytes, 0, bytes.length);
    content.durableLength = bytes.length;
    entries.put(path, content);
    durableEntries.put(path, content);
  }

  /** The machine loses power: only what was synced is left. */
  public synchronized void crash() {
    for (Content content : durableEntries.values()) {
      content.length = content.durableLength;
    }
    restart();
  }

  /**
   * The machine loses power. In addition to everything that was synced, random unsynced entries and
   * removals survive, and a random number of the first unsynced bytes, the last of which may be
   * garbage.
   */
  public synchronized void crash(RandomGenerator random) {
    TreeMap<Path, Content> left = new TreeMap<>(durableEntries);
    for (Map.Entry<Path, Content> entry : entries.entrySet()) {
      if (!durableEntries.containsKey(entry.getKey()) && random.nextBoolean()) {
        left.put(entry.getKey(), entry.getValue());
      }
    }
    for (Path path : durableEntries.keySet()) {
      if (!entries.containsKey(path) && random.nextBoolean()) {
        left.remove(path);
      }
    }
    durableEntries = left;
    for (Content content : left.values()) {
      tear(content, random);
    }
    restart();
  }

  /** The machine loses power during the last write: its first half survives, in the given file. */
  public synchronized void crashTearingLastWrite(Path path) throws IOException {
    Content content = content(path);
    durableEntries.put(path, content);
    content.durableLength =
        Math.max(content.durableLength, (content.lastWriteStart + content.length) / 2);
    crash();
  }

  private static void tear(Content content, RandomGenerator random) {
    int unsynced = content.length - content.durableLength;
    if (unsynced > 0) {
      int kept = random.nextInt(unsynced + 1);
      content.length = content.durableLength + kept;
      if (kept > 0 && random.nextInt(4) == 0) {
        content.bytes[content.length - 1] ^= (byte) (1 + random.nextInt(255));
      }
    }
    content.durableLength = content.length;
  }

  @GuardedBy("this")
  private void restart() {
    entries = new TreeMap<>(durableEntries);
    openFiles = 0;
    life++;
    failCall(0);
    bytesUntilFull = Long.MAX_VALUE;
  }

  @GuardedBy("this")
  private void call(String what, Path path) throws IOException {
    calls++;
    if (isFailing()) {
      throw new IOException(what + " " + path + ": Input/output error");
    }
  }

  @GuardedBy("this")
  private boolean isFailing() {
    if (callsUntilFailure == Long.MAX_VALUE) {
      return false;
    }
    callsUntilFailure = Math.max(0, callsUntilFailure - 1);
    if (callsUntilFailure > 0) {
      return false;
    }
    failuresLeft--;
    callsUntilFailure = failuresLeft > 0 ? 0 : Long.MAX_VALUE;
    return true;
  }

  @GuardedBy("this")
  private Content content(Path path) throws NoSuchFileException {
    Content content = entries.get(path);
    if (content == null) {
      throw new NoSuchFileException(path.toString());
    }
    return content;
  }

  @Override
  public synchronized WritableFile create(Path path) throws IOException {
    call("create", path);
    if (entries.containsKey(path)) {
      throw new FileAlreadyExistsException(path.toString());
    }
    Content content = new Content();
    entries.put(path, content);
    openFiles++;
    return new SimulatedWritableFile(path, content, life);
  }

  @Override
  public synchronized ReadableFile open(Path path) throws IOException {
    call("open", path);
    Content content = content(path);
    openFiles++;
    return new SimulatedReadableFile(path, content, life);
  }

  @Override
  public synchronized void replace(Path path, byte[] bytes) throws IOException {
    try {
      call("replace", path);
    } catch (IOException e) {
      if (calls % 2 == 0) {
        put(path, bytes.clone()); // it failed after the renaming
      }
      throw e;
    }
    takeSpace(path, bytes.length);
    put(path, bytes.clone());
  }

  @Override
  public synchronized byte[] readAll(Path path) throws IOException {
    call("read", path);
    Content content = content(path);
    return Arrays.copyOf(content.bytes, content.length);
  }

  @Override
  public synchronized boolean exists(Path path) throws IOException {
    call("exists", path);
    return entries.containsKey(path) || entries.keySet().stream().anyMatch(p -> p.startsWith(path));
  }

  @Override
  public synchronized List<String> list(Path directory) throws IOException {
    call("list", directory);
    return entries.keySet().stream()
        .filter(path -> path.startsWith(directory) && !path.equals(directory))
        .map(path -> path.getName(directory.getNameCount()).toString())
        .distinct()
        .sorted()
        .toList();
  }

  @Override
  public synchronized void delete(Path path) throws IOException {
    call("delete", path);
    content(path);
    entries.remove(path);
  }

  @Override
  public synchronized void deleteTree(Path directory) throws IOException {
    call("delete", directory);
    entries.keySet().removeIf(path -> path.startsWith(directory));
  }

  @Override
  public synchronized void syncDirectory(Path directory) throws IOException {
    call("sync", directory);
    List<Path> gone = new ArrayList<>();
    for (Path path : durableEntries.keySet()) {
      if (directory.equals(path.getParent()) && !entries.containsKey(path)) {
        gone.add(path);
      }
    }
    gone.forEach(durableEntries::remove);
    entries.forEach(
        (path, content) -> {
          if (directory.equals(path.getParent())) {
            durableEntries.put(path, content);
          }
        });
  }

  @GuardedBy("this")
  private void takeSpace(Path path, int bytes) throws IOException {
    if (bytesUntilFull != Long.MAX_VALUE) {
      if (bytes > bytesUntilFull) {
        throw new IOException("write " + path + ": No space left on device");
      }
      bytesUntilFull -= bytes;
    }
  }

  @GuardedBy("this")
  private void checkLife(Path path, int born, boolean closed) throws IOException {
    if (born != life) {
      throw new IOException(path + " was open when the machine lost power");
    }
    if (closed) {
      throw new IOException(path + " is closed");
    }
  }

  private final class SimulatedWritableFile implements WritableFile {
    private final Path path;
    private final Content content;
    private final int born;
    private boolean closed;

    SimulatedWritableFile(Path path, Content content, int born) {
      this.path = path;
      this.content = content;
      this.born = born;
    }

    @Override
    public void append(long address, int bytes) throws IOException {
      byte[] copy = new byte[bytes];
      Memory.copy(address, copy, 0, bytes);
      append(copy, 0, bytes);
    }

    @Override
    public void append(byte[] bytes, int offset, int length) throws IOException {
      synchronized (SimulatedFileStore.this) {
        checkLife(path, born, closed);
        try {
          call("write", path);
          takeSpace(path, length);
        } catch (IOException e) {
          content.append(bytes, offset, length / 2);
          throw e;
        }
        content.append(bytes, offset, length);
      }
    }

    @Override
    public long position() {
      return content.length;
    }

    @Override
    public void sync() throws IOException {
      synchronized (SimulatedFileStore.this) {
        checkLife(path, born, closed);
        call("sync", path);
        content.durableLength = content.length;
      }
    }

    @Override
    public void close() {
      synchronized (SimulatedFileStore.this) {
        if (!closed && born == life) {
          openFiles--;
        }
        closed = true;
      }
    }
  }

  private final class SimulatedReadableFile implements ReadableFile {
    private final Path path;
    private final Content content;
    private final int born;
    private boolean closed;

    SimulatedReadableFile(Path path, Content content, int born) {
      this.path = path;
      this.content = content;
      this.born = born;
    }

    @Override
    public String name() {
      return path.toString();
    }

    @Override
    public long size() {
      return content.length;
    }

    @Override
    public void readFully(long position, long address, int bytes) throws IOException {
      synchronized (SimulatedFileStore.this) {
        checkLife(path, born, closed);
        call("read", path);
        if (position < 0 || position + bytes > content.length) {
          throw new EOFException(
              "%s ends at %d, expected %d bytes at %d"
                  .formatted(path, content.length, bytes, position));
        }
        Memory.copy(content.bytes, (int) position, address, bytes);
      }
    }

    @Override
    public void close() {
      synchronized (SimulatedFileStore.this) {
        if (!closed && born == life) {
          openFiles--;
        }
        closed = true;
      }
    }
  }
}
