package dev.kudu4j.tablet.superblock;

import com.google.protobuf.InvalidProtocolBufferException;
import dev.kudu4j.common.schema.LittleEndian;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.tablet.env.FileStore;
import dev.kudu4j.tablet.proto.SuperblockPB;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.zip.CRC32C;

/**
 * The superblock's file: a small frame around the message, replaced atomically.
 *
 * <pre>
 *   magic "K4JSUPER" | version u32 | message bytes u32 | CRC32C of all before and of the message u32 | message
 * </pre>
 *
 * <p>The frame is the same in all versions, so that a broken version number is told from another
 * version.
 */
public final class SuperblockFile {
  /** Its name in the tablet's directory. */
  public static final String NAME = "superblock";

  static final int VERSION = 1;
  private static final byte[] MAGIC = "K4JSUPER".getBytes(StandardCharsets.US_ASCII);
  private static final int VERSION_OFFSET = 8;
  private static final int LENGTH_OFFSET = 12;
  private static final int CHECKSUM_OFFSET = 16;
  static final int HEADER_BYTES = 20;

  private final FileStore files;
  private final Path path;

  /**
   * @param directory the tablet's
   */
  public SuperblockFile(FileStore files, Path directory) {
    this.files = files;
    this.path = directory.resolve(NAME);
  }

  public boolean exists() throws IOException {
    return files.exists(path);
  }

  /** Replaces the superblock; durable when this returns. */
  public void write(SuperblockPB message) throws IOException {
    files.replace(path, frame(message));
  }

  /**
   * Reads the superblock.
   *
   * @throws KuduException NOT_FOUND; CORRUPTION; NOT_SUPPORTED for a newer version
   */
  public SuperblockPB read() throws IOException {
    if (!files.exists(path)) {
      throw KuduException.notFound("There is no superblock at %s; the tablet is not here", path);
    }
    return unframe(files.readAll(path));
  }

  static byte[] frame(SuperblockPB message) {
    byte[] body = message.toByteArray();
    byte[] frame = Arrays.copyOf(MAGIC, HEADER_BYTES + body.length);
    LittleEndian.putInt(frame, VERSION_OFFSET, VERSION);
    LittleEndian.putInt(frame, LENGTH_OFFSET, body.length);
    System.arraycopy(body, 0, frame, HEADER_BYTES, body.length);
    LittleEndian.putInt(frame, CHECKSUM_OFFSET, checksum(frame));
    return frame;
  }

  private SuperblockPB unframe(byte[] frame) {
    if (frame.length < HEADER_BYTES || !startsWithMagic(frame)) {
      throw KuduException.corruption(
          "%s is no superblock: %d bytes without the magic at offset 0", path, frame.length);
    }
    int length = LittleEndian.getInt(frame, LENGTH_OFFSET);
    if (length != frame.length - HEADER_BYTES) {
      throw KuduException.corruption(
          "%s says at offset %d that its message has %d bytes, found %d",
          path, LENGTH_OFFSET, length, frame.length - HEADER_BYTES);
    }
    int expected = LittleEndian.getInt(frame, CHECKSUM_OFFSET);
    int found = checksum(frame);
    if (expected != found) {
      throw KuduException.corruption(
          "%s has a wrong checksum at offset %d: expected %08x, found %08x",
          path, CHECKSUM_OFFSET, expected, found);
    }
    int version = LittleEndian.getInt(frame, VERSION_OFFSET);
    if (version != VERSION) {
      throw KuduException.notSupported(
          "%s has version %d, this server knows %d; run the server that wrote it",
          path, version, VERSION);
    }
    try {
      return SuperblockPB.parseFrom(Arrays.copyOfRange(frame, HEADER_BYTES, frame.length));
    } catch (InvalidProtocolBufferException e) {
      throw KuduException.corruption("%s cannot be parsed: %s", path, e.getMessage());
    }
  }

  /** Whether a file that begins like this is a superblock. */
  public static boolean startsWithMagic(byte[] frame) {
    return frame.length >= MAGIC.length
        && Arrays.equals(frame, 0, MAGIC.length, MAGIC, 0, MAGIC.length);
  }

  private static int checksum(byte[] frame) {
    CRC32C crc = new CRC32C();
    crc.update(frame, 0, CHECKSUM_OFFSET);
    crc.update(frame, HEADER_BYTES, frame.length - HEADER_BYTES);
    return (int) crc.getValue();
  }
}
