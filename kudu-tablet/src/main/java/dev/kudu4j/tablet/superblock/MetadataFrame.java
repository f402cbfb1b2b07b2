package dev.kudu4j.tablet.superblock;

import dev.kudu4j.common.schema.LittleEndian;
import dev.kudu4j.common.status.KuduException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.zip.CRC32C;

/**
 * The frame of a tablet's small metadata files. It distinguishes a damaged file, a different
 * version, and a different kind of file.
 *
 * <pre>
 *   magic 8 | version u32 | message bytes u32
 *   | CRC32C of these fields and of the message u32 | message
 * </pre>
 *
 * <p>The frame is the same in all versions; a corrupt version number fails the checksum.
 */
final class MetadataFrame {
  static final int HEADER_BYTES = 20;
  private static final int MAGIC_BYTES = 8;
  private static final int VERSION_OFFSET = 8;
  private static final int LENGTH_OFFSET = 12;
  private static final int CHECKSUM_OFFSET = 16;

  private final String kind;
  private final byte[] magic;
  private final int version;

  /**
   * @param kind the kind of file, for messages
   * @param magic the 8 letters at the start
   */
  MetadataFrame(String kind, String magic, int version) {
    this.kind = kind;
    this.magic = magic.getBytes(StandardCharsets.US_ASCII);
    this.version = version;
    assert this.magic.length == MAGIC_BYTES;
  }

  byte[] wrap(byte[] message) {
    byte[] frame = Arrays.copyOf(magic, HEADER_BYTES + message.length);
    LittleEndian.putInt(frame, VERSION_OFFSET, version);
    LittleEndian.putInt(frame, LENGTH_OFFSET, message.length);
    System.arraycopy(message, 0, frame, HEADER_BYTES, message.length);
    LittleEndian.putInt(frame, CHECKSUM_OFFSET, checksum(frame));
    return frame;
  }

  /**
   * Extracts the message.
   *
   * @param path the path in messages
   * @throws KuduException CORRUPTION; NOT_SUPPORTED for a different version
   */
  byte[] unwrap(byte[] frame, Path path) {
    if (frame.length < HEADER_BYTES || !startsWithMagic(frame)) {
      throw KuduException.corruption(
          "%s is not a %s: its %d bytes have no magic at offset 0", path, kind, frame.length);
    }
    int length = LittleEndian.getInt(frame, LENGTH_OFFSET);
    if (length != frame.length - HEADER_BYTES) {
      throw KuduException.corruption(
          "%s: the message length at offset %d is %d, but %d bytes follow the header",
          path, LENGTH_OFFSET, length, frame.length - HEADER_BYTES);
    }
    int expected = LittleEndian.getInt(frame, CHECKSUM_OFFSET);
    int found = checksum(frame);
    if (expected != found) {
      throw KuduException.corruption(
          "%s has a wrong checksum at offset %d: expected %08x, found %08x",
          path, CHECKSUM_OFFSET, expected, found);
    }
    int foundVersion = LittleEndian.getInt(frame, VERSION_OFFSET);
    if (foundVersion != version) {
      throw KuduException.notSupported(
          "%s has version %d, but this server supports %d; run the server version that wrote it",
          path, foundVersion, version);
    }
    return Arrays.copyOfRange(frame, HEADER_BYTES, frame.length);
  }

  boolean startsWithMagic(byte[] frame) {
    return frame.length >= magic.length
        && Arrays.equals(frame, 0, magic.length, magic, 0, magic.length);
  }

  private static int checksum(byte[] frame) {
    CRC32C crc = new CRC32C();
    crc.update(frame, 0, CHECKSUM_OFFSET);
    crc.update(frame, HEADER_BYTES, frame.length - HEADER_BYTES);
    return (int) crc.getValue();
  }
}
