package dev.kudu4j.server.raft.tuning;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Write buffers of logs, which take memory only as far as they were ever filled.
 *
 * <p>A log's buffer must hold the largest entry, 1 MB, although most entries have some hundred
 * bytes. Allocated memory is filled with zeros, so each replica would occupy all of it. These
 * buffers are private mappings of one empty file: a page takes memory when it is first written, and
 * never reaches the file.
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
   * @param directory where a file can be created; it is deleted at once
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
    Files.deleteIfExists(file); // the open channel keeps it
    return new LogWriteBuffers(zeros, bytes);
  }

  /** A buffer; freed as any direct one. */
  ByteBuffer allocate() throws IOException {
    return zeros.map(FileChannel.MapMode.PRIVATE, 0, bytes);
  }

  /** Allocated buffers stay valid. */
  @Override
  public void close() throws IOException {
    zeros.close();
  }
}
