package dev.kudu4j.tools.fs;

import dev.kudu4j.common.status.KuduException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Prevents servers from starting in a directory while a tool reads it. The lock is shared, so
 * several tools can read at the same time without write permission.
 */
final class DirectoryLock implements AutoCloseable {
  private final FileChannel channel;

  private DirectoryLock(FileChannel channel) {
    this.channel = channel;
  }

  /**
   * Locks the directory; a directory that no server has used needs no lock.
   *
   * @throws KuduException ILLEGAL_STATE if a server is running in the directory
   */
  static DirectoryLock take(Path directory) throws IOException {
    Path file = directory.resolve("lock");
    if (!Files.exists(file)) {
      return new DirectoryLock(null);
    }
    FileChannel channel = FileChannel.open(file, StandardOpenOption.READ);
    try {
      FileLock lock = channel.tryLock(0, Long.MAX_VALUE, true);
      if (lock != null) {
        return new DirectoryLock(channel);
      }
    } catch (OverlappingFileLockException e) {
      // A server in this process holds the lock; the exception below reports it.
    } catch (IOException e) {
      channel.close();
      throw e;
    }
    channel.close();
    throw KuduException.illegalState(
        "A server is running in %s, so its files change; stop it first", directory);
  }

  @Override
  public void close() throws IOException {
    if (channel != null) {
      channel.close();
    }
  }
}
