package dev.kudu4j.server.raft.log;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.zip.CRC32C;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Truncates a log file after its last complete record, if a killed process had the file open. The
 * last complete record may be followed by a partially written record, and by zeros with which the
 * file was preallocated. The file is truncated before Ratis opens it.
 *
 * <p>Ratis accepts a last record that is cut off by the end of the file. But if that record is
 * continued by zeros, Ratis treats it as corruption and does not open the group. Ratis also fails
 * if a record larger than half the maximum entry size is followed by more zeros than the maximum
 * entry size: its reader cannot go back over these zeros ("Resetting to invalid mark"). This
 * happens if several large entries were queued, because each entry preallocates space for all of
 * them.
 *
 * <pre>
 *   header 8 bytes | record | record | ... | zeros
 *   record = length varint | entry | CRC32C of both, big-endian
 * </pre>
 *
 * <p>Only a record at the very end of the file is cut off: it is incomplete, so it was never
 * acknowledged. A corrupt record that is followed by other data may affect acknowledged entries;
 * Ratis rejects such a file.
 */
public final class LogTailRepair {
  private static final Logger LOG = LoggerFactory.getLogger(LogTailRepair.class);

  private static final byte[] HEADER = "RaftLog1".getBytes(StandardCharsets.US_ASCII);
  private static final String OPEN_FILES = "log_inprogress_*";
  private static final byte[] ZEROS = new byte[4 << 10];
  private static final int CHECKSUM_BYTES = 4;
  private static final int MAX_LENGTH_BYTES = 5;

  private final byte[] bytes;

  /** Position after the last byte that is not zero. */
  private final int end;

  private LogTailRepair(byte[] bytes) {
    this.bytes = bytes;
    int last = bytes.length;
    while (last >= ZEROS.length
        && Arrays.equals(bytes, last - ZEROS.length, last, ZEROS, 0, ZEROS.length)) {
      last -= ZEROS.length; // space for more records is reserved in large blocks
    }
    while (last > 0 && bytes[last - 1] == 0) {
      last--;
    }
    this.end = last;
  }

  /** Truncates the open log files of a group where necessary. */
  public static void cut(Path groupDirectory) throws IOException {
    Path current = groupDirectory.resolve("current");
    if (!Files.isDirectory(current)) {
      return;
    }
    try (DirectoryStream<Path> files = Files.newDirectoryStream(current, OPEN_FILES)) {
      for (Path file : files) {
        cutFile(file);
      }
    }
  }

  private static void cutFile(Path file) throws IOException {
    byte[] bytes = Files.readAllBytes(file);
    LogTailRepair tail = new LogTailRepair(bytes);
    int start = tail.start();
    if (start == bytes.length) {
      return;
    }
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      channel.truncate(start);
      if (start < tail.end) {
        channel.force(true);
        LOG.warn(
            "{} ended with a partially written record, which was never acknowledged; the"
                + " file was truncated to {} bytes",
            file,
            start);
      }
    }
  }

  /** Length to which the file may be truncated; its present length if nothing may be cut off. */
  private int start() {
    if (!Arrays.equals(HEADER, Arrays.copyOf(bytes, HEADER.length))) {
      return bytes.length;
    }
    int position = HEADER.length;
    while (position < end) {
      long length = length(position);
      long next = position + lengthBytes(position) + length + CHECKSUM_BYTES;
      if (length >= 0 && next <= bytes.length && isWhole(position, (int) next)) {
        position = (int) next;
      } else {
        return length < 0 || end <= next ? position : bytes.length;
      }
    }
    return position;
  }

  /** The entry's length, or -1 if the length itself is incomplete. */
  private long length(int position) {
    long length = 0;
    for (int i = 0; i < MAX_LENGTH_BYTES && position + i < end; i++) {
      byte part = bytes[position + i];
      length |= (part & 0x7fL) << (7 * i);
      if (part >= 0) {
        return length;
      }
    }
    return -1;
  }

  private int lengthBytes(int position) {
    int count = 1;
    while (count < MAX_LENGTH_BYTES
        && position + count < bytes.length
        && bytes[position + count - 1] < 0) {
      count++;
    }
    return count;
  }

  private boolean isWhole(int from, int to) {
    CRC32C crc = new CRC32C();
    crc.update(bytes, from, to - CHECKSUM_BYTES - from);
    int written = ByteBuffer.wrap(bytes, to - CHECKSUM_BYTES, CHECKSUM_BYTES).getInt();
    return written == (int) crc.getValue();
  }
}
