package dev.kudu4j.server.fs;

import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.common.time.ClockMemory;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * A file that says how far the server's clock has got: a timestamp, 8 bytes, big-endian.
 *
 * <p>Mapped into memory, so it outlives the process however that ends, and a thread that is
 * interrupted does no harm. It is not synced: when the machine goes down, starting it takes longer
 * than the file lags.
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
      if (channel.size() < Long.BYTES) { // new; the place is taken now, the disk may be full later
        channel.write(ByteBuffer.allocate(Long.BYTES), 0);
      }
      ByteBuffer content = channel.map(FileChannel.MapMode.READ_WRITE, 0, Long.BYTES);
      if (content.getLong(0) < 0) {
        throw KuduException.corruption("The file %s holds no time; remove it to go on", file);
      }
      return new ClockFile(content);
    }
  }

  @Override
  public long ceiling() {
    return content.getLong(0);
  }

  @Override
  public void keep(long ceiling) {
    content.putLong(0, ceiling);
  }
}
