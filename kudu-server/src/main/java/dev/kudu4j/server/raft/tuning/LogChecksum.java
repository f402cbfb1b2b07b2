package dev.kudu4j.server.raft.tuning;

import java.nio.ByteBuffer;
import java.util.zip.CRC32C;
import org.apache.ratis.util.PureJavaCrc32C;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The checksum of log entries, CRC-32C, calculated with the processor's instruction. Ratis
 * calculates it with tables in Java, a method whose compilation alone takes half a second of the
 * first load of a server.
 *
 * <p>Not thread-safe.
 */
final class LogChecksum extends PureJavaCrc32C {
  private static final Logger LOG = LoggerFactory.getLogger(LogChecksum.class);

  private final CRC32C crc = new CRC32C();

  /**
   * Replaces the checksum of an open log file. Called on the thread that writes the file, between
   * two entries.
   *
   * @param stream Ratis' output stream of the file
   */
  static void install(Object stream) {
    try {
      RatisField.of(stream, "checksum").set(new LogChecksum());
    } catch (ReflectiveOperationException | RuntimeException e) {
      LOG.warn("The log calculates its checksums in Java: Ratis has changed", e);
    }
  }

  @Override
  public long getValue() {
    return crc.getValue();
  }

  @Override
  public void reset() {
    if (crc != null) { // null while the superclass is constructed
      crc.reset();
    }
  }

  @Override
  public void update(byte[] bytes, int offset, int length) {
    crc.update(bytes, offset, length);
  }

  @Override
  public void update(ByteBuffer bytes) {
    crc.update(bytes);
  }
}
