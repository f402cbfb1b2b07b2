package dev.kudu4j.server.fs;

import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.common.time.ClockMemory;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * A file with the upper bound of the server's clock so far: a timestamp, 8 bytes, big-endian.
 *
 * <p>The file is mapped into memory, so its content survives any end of the process, and
 * interrupted threads do not affect it. It is not synced: after a crash of the machine, the file
 * may contain an older bound. An older bound does no harm, because the restart of the machine takes
 * longer than the age of the bound.
 */
final class ClockFile implements ClockMemory {
  static final String FILE_NAME = "clock";

  private final ByteBuffer content;

  private ClockFile(ByteBuffer content) {
    this.content = content;
  }

  static ClockFile open(Path directory) throws IOException {
    Path file = directory.resolve(FILE_NAME);
    try (FileChannel channel =
        FileChannel.open(
            file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      if (channel.size() < Long.BYTES) { // a new file: allocate its bytes while the disk has room
        channel.write(ByteBuffer.allocate(Long.BYTES), 0);
      }
      ByteBuffer content = channel.map(FileChannel.MapMode.READ_WRITE, 0, Long.BYTES);
      if (content.getLong(0) < 0) {
        throw KuduException.corruption(
            "The file %s has no valid timestamp; remove it to continue", file);
      }
      return new ClockFile(content);
    }
  }

  @Override
  public long ceiling() {
    return content.getLong(0);
  }

  @Override
  public void store(long ceiling) {
    content.putLong(0, ceiling);
  }
}
