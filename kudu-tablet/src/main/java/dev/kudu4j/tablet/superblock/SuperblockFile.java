package dev.kudu4j.tablet.superblock;

import com.google.protobuf.InvalidProtocolBufferException;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.tablet.env.FileStore;
import dev.kudu4j.tablet.proto.SuperblockPB;
import java.io.IOException;
import java.nio.file.Path;

/**
 * The file of the superblock: a message in a {@link MetadataFrame}. The file is replaced
 * atomically.
 */
public final class SuperblockFile {
  /** The file's name in the tablet's directory. */
  public static final String NAME = "superblock";

  static final int VERSION = 1;
  private static final MetadataFrame FRAME = new MetadataFrame(NAME, "K4JSUPER", VERSION);

  private final FileStore files;
  private final Path path;

  /**
   * @param directory the tablet's directory
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
   * @throws KuduException NOT_FOUND; CORRUPTION, also for invalid file names; NOT_SUPPORTED for a
   *     different version
   */
  public SuperblockPB read() throws IOException {
    if (!files.exists(path)) {
      throw KuduException.notFound("No superblock at %s; its directory contains no tablet", path);
    }
    try {
      SuperblockPB message = SuperblockPB.parseFrom(FRAME.unwrap(files.readAll(path), path));
      SuperblockMessages.checkNames(message, path);
      return message;
    } catch (InvalidProtocolBufferException e) {
      throw KuduException.corruption(
          "%s cannot be parsed: %s", path, String.valueOf(e.getMessage()));
    }
  }

  static byte[] frame(SuperblockPB message) {
    return FRAME.wrap(message.toByteArray());
  }

  /** Whether a file that starts with these bytes is a superblock. */
  public static boolean startsWithMagic(byte[] frame) {
    return FRAME.startsWithMagic(frame);
  }
}
