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
 * What a killed process leaves behind the last whole record of an open log file: a record that it
 * wrote in part, and zeros, with which a log file is filled ahead of what is written. Both are cut
 * off here before Ratis looks.
 *
 * <p>Ratis takes a record that runs into the end of the file for unfinished, but one that runs into
 * zeros for a broken log, and does not open the group any more. Nor does it when more zeros than
 * the largest entry has bytes follow a record of more than half that size: its reader cannot go
 * back over them ("Resetting to invalid mark"). So many are there when large entries waited for
 * each other, each of which reserves room for all.
 *
 * <pre>
 *   header 8 bytes | record | record | ... | zeros
 *   record = length varint | entry | CRC32C of both, big-endian
 * </pre>
 *
 * <p>Of records, only the very last thing in the file is cut off: nobody was told that it is
 * logged, because it was not written in full. A broken record with anything behind it is damage to
 * what may have been acknowledged, and is left for Ratis to refuse.
 */
public final class LogTailRepair {
  private static final Logger LOG = LoggerFactory.getLogger(LogTailRepair.class);

  private static final byte[] HEADER = "RaftLog1".getBytes(StandardCharsets.US_ASCII);
  private static final String OPEN_FILES = "log_inprogress_*";
  private static final int CHECKSUM_BYTES = 4;
  private static final int MOST_LENGTH_BYTES = 5;

  private final byte[] bytes;

  /** End of what is not zero. */
  private final int end;

  private LogTailRepair(byte[] bytes) {
    this.bytes = bytes;
    int last = bytes.length;
    while (last > 0 && bytes[last - 1] == 0) {
      last--;
    }
    this.end = last;
  }

  /** Cuts the open log files of a group. */
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
            "{} ended with a record that was written in part; it was cut off at {}, and was"
                + " acknowledged to nobody",
            file,
            start);
      }
    }
  }

  /** Where that begins which may be cut off; the end of the file when there is none. */
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

  /** The entry's length, or -1 when it is not there in full. */
  private long length(int position) {
    long length = 0;
    for (int i = 0; i < MOST_LENGTH_BYTES && position + i < end; i++) {
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
    while (count < MOST_LENGTH_BYTES
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
