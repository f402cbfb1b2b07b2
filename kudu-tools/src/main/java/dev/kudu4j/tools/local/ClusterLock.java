package dev.kudu4j.tools.local;

import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.tools.connection.Pause;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.Optional;

/**
 * Identifies the process that runs a cluster, in a way that another process can verify.
 *
 * <p>The process that runs the cluster holds an operating system lock on the file, and writes its
 * pid and its start time to the file. The lock is released when the process ends. A pid alone
 * proves nothing, since it may be reused after a crash. The process runs the cluster if the lock is
 * held <em>and</em> the start time of the process with that pid is equal to the one in the file.
 */
final class ClusterLock implements AutoCloseable {
  /**
   * Tolerated difference between start times of the same process: two processes may compute it from
   * slightly different boot times.
   */
  private static final long BIRTH_TOLERANCE_MILLIS = 5_000;

  private static final int TRIES = 10;
  private static final int PAUSE_MILLIS = 50;

  private final FileChannel channel;

  private ClusterLock(FileChannel channel) {
    this.channel = channel;
  }

  /**
   * Takes the lock for this process.
   *
   * @throws KuduException ALREADY_PRESENT if another process holds it
   */
  static ClusterLock take(Path file) throws IOException {
    FileChannel channel =
        FileChannel.open(
            file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
    try {
      FileLock lock = tryLock(channel);
      if (lock == null) {
        throw KuduException.alreadyPresent(
            "A cluster is already running in %s; kudu status shows it, kudu stop stops it",
            file.getParent());
      }
      ProcessHandle self = ProcessHandle.current();
      String text = self.pid() + " " + birth(self) + "\n";
      channel.truncate(0);
      channel.write(StandardCharsets.US_ASCII.encode(text));
      return new ClusterLock(channel);
    } catch (IOException | RuntimeException e) {
      channel.close();
      throw e;
    }
  }

  /**
   * Tries several times, since a process that only checks whether the lock is held also holds it
   * briefly.
   */
  private static FileLock tryLock(FileChannel channel) throws IOException {
    FileLock lock = channel.tryLock();
    for (int i = 0; lock == null && i < TRIES; i++) {
      Pause.millis(PAUSE_MILLIS);
      lock = channel.tryLock();
    }
    return lock;
  }

  private static long birth(ProcessHandle process) {
    return process.info().startInstant().map(Instant::toEpochMilli).orElse(0L);
  }

  /** The process that runs the cluster; empty if there is none. */
  static Optional<ProcessHandle> holder(Path file) throws IOException {
    if (!isHeld(file)) {
      return Optional.empty();
    }
    String[] words = Files.readString(file, StandardCharsets.US_ASCII).trim().split(" ");
    if (words.length != 2) {
      return Optional.empty(); // the lock was just taken, and the pid is not written yet
    }
    try {
      long pid = Long.parseLong(words[0]);
      long born = Long.parseLong(words[1]);
      return ProcessHandle.of(pid)
          .filter(process -> Math.abs(birth(process) - born) <= BIRTH_TOLERANCE_MILLIS);
    } catch (NumberFormatException e) {
      throw KuduException.corruption(
          "The lock file %s is locked but contains no pid; find the process with: fuser %s",
          file, file);
    }
  }

  /** Whether any process holds the lock. */
  static boolean isHeld(Path file) throws IOException {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      FileLock lock = channel.tryLock();
      if (lock == null) {
        return true;
      }
      lock.release();
      return false;
    } catch (OverlappingFileLockException e) {
      return true; // this process holds it
    } catch (NoSuchFileException e) {
      return false;
    }
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
