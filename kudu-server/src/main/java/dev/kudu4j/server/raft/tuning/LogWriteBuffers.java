package dev.kudu4j.server.raft.tuning;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Write buffers of logs, which occupy memory only up to the highest byte ever written.
 *
 * <p>A log's buffer must hold the largest entry, 1 MB, although most entries have a few hundred
 * bytes. Ordinary direct buffers are zeroed on allocation and would occupy all of this memory for
 * each replica. These buffers are private mappings of one empty file: a page occupies memory only
 * after the first write to it, and is never written to the file.
 */
final class LogWriteBuffers implements AutoCloseable {
  private final FileChannel zeros;
  private final int bytes;

  private LogWriteBuffers(FileChannel zeros, int bytes) {
    this.zeros = zeros;
    this.bytes = bytes;
  }

  /**
   * Prepares buffers.
   *
   * @param directory where a file can be created; the file is deleted immediately
   */
  static LogWriteBuffers open(Path directory, int bytes) throws IOException {
    Path file = Files.createTempFile(directory, "write-buffers", "");
    FileChannel zeros =
        FileChannel.open(
            file,
            StandardOpenOption.READ,
            StandardOpenOption.WRITE,
            StandardOpenOption.DELETE_ON_CLOSE);
    try {
      zeros.write(ByteBuffer.allocate(1), bytes - 1L);
    } catch (IOException e) {
      zeros.close();
      throw e;
    }
    Files.deleteIfExists(file); // the open channel keeps the content
    return new LogWriteBuffers(zeros, bytes);
  }

  /** Allocates a buffer, which is freed like any direct buffer. */
  ByteBuffer allocate() throws IOException {
    return zeros.map(FileChannel.MapMode.PRIVATE, 0, bytes);
  }

  /** Closes the file behind the buffers. Allocated buffers stay valid. */
  @Override
  public void close() throws IOException {
    zeros.close();
  }
}
