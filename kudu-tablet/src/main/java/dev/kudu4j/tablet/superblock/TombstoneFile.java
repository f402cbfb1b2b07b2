package dev.kudu4j.tablet.superblock;

import com.google.protobuf.InvalidProtocolBufferException;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.tablet.env.FileStore;
import dev.kudu4j.tablet.proto.TombstonePB;
import java.io.IOException;
import java.nio.file.Path;

/**
 * The file that records the remainder of a deleted replica or a copy in progress: the message in a
 * {@link MetadataFrame}, replaced atomically. A directory that contains this file holds no replica;
 * docs/design/tablet-copy.md describes the one exception.
 */
public final class TombstoneFile {
  /** The file's name in the tablet's directory. */
  public static final String NAME = "tombstone";

  private static final MetadataFrame FRAME = new MetadataFrame(NAME, "K4JTOMBS", 1);

  private final FileStore files;
  private final Path path;

  /**
   * @param directory the tablet's directory
   */
  public TombstoneFile(FileStore files, Path directory) {
    this.files = files;
    this.path = directory.resolve(NAME);
  }

  public boolean exists() throws IOException {
    return files.exists(path);
  }

  /** Replaces the tombstone; durable when this returns. */
  public void write(TombstonePB message) throws IOException {
    files.replace(path, FRAME.wrap(message.toByteArray()));
  }

  /**
   * Reads the tombstone.
   *
   * @throws KuduException NOT_FOUND; CORRUPTION; NOT_SUPPORTED for a different version
   */
  public TombstonePB read() throws IOException {
    if (!files.exists(path)) {
      throw KuduException.notFound("No tombstone at %s", path);
    }
    try {
      return TombstonePB.parseFrom(FRAME.unwrap(files.readAll(path), path));
    } catch (InvalidProtocolBufferException e) {
      throw KuduException.corruption(
          "%s cannot be parsed: %s", path, String.valueOf(e.getMessage()));
    }
  }

  /** Removes the tombstone; durable when this returns. */
  public void delete() throws IOException {
    files.delete(path);
    Path directory = path.getParent();
    assert directory != null : "the tombstone is in a directory";
    files.syncDirectory(directory);
  }
}
