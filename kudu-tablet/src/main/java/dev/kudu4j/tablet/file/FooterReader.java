package dev.kudu4j.tablet.file;

import com.google.errorprone.annotations.FormatMethod;
import com.google.errorprone.annotations.FormatString;
import dev.kudu4j.common.status.KuduException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Parses a footer. Every read is checked, so a footer with a valid checksum but invalid content is
 * reported as corruption.
 */
public final class FooterReader {
  private final String fileName;
  private final long fileOffset;
  private final ByteBuffer bytes;

  FooterReader(String fileName, long fileOffset, byte[] footer) {
    this.fileName = fileName;
    this.fileOffset = fileOffset;
    this.bytes = ByteBuffer.wrap(footer).order(ByteOrder.LITTLE_ENDIAN);
  }

  public int getByte() {
    return need(1).get() & 0xff;
  }

  public int getInt() {
    return need(4).getInt();
  }

  public long getLong() {
    return need(8).getLong();
  }

  /**
   * Reads a count of elements, each of which takes at least {@code minBytes} of the remaining
   * bytes.
   */
  public int getCount(int minBytes) {
    int count = getInt();
    if (count < 0 || (long) count * minBytes > bytes.remaining()) {
      throw broken("expected a count of at most %d, found %d", bytes.remaining() / minBytes, count);
    }
    return count;
  }

  /** Reads bytes with a length prefix; returns null for length -1. */
  public byte @Nullable [] getBytes() {
    int length = getInt();
    if (length == -1) {
      return null;
    }
    if (length < 0 || length > bytes.remaining()) {
      throw broken("expected a length of at most %d, found %d", bytes.remaining(), length);
    }
    byte[] value = new byte[length];
    bytes.get(value);
    return value;
  }

  public String getText() {
    byte @Nullable [] text = getBytes();
    if (text == null) {
      throw broken("expected a text of at least %d bytes, found none", 0);
    }
    return new String(text, StandardCharsets.UTF_8);
  }

  /** Checks that the whole footer has been read. */
  public void end() {
    if (bytes.hasRemaining()) {
      throw broken("expected the end of the footer, found %d more bytes", bytes.remaining());
    }
  }

  /** An exception with status CORRUPTION for the current position. */
  @FormatMethod
  public KuduException broken(@FormatString String format, Object... args) {
    return KuduException.corruption(
        "%s: footer corrupt at offset %d: %s",
        fileName, fileOffset + bytes.position(), String.format(Locale.ROOT, format, args));
  }

  private ByteBuffer need(int count) {
    if (bytes.remaining() < count) {
      throw broken("expected %d more bytes, found %d", count, bytes.remaining());
    }
    return bytes;
  }
}
