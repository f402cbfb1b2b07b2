package dev.kudu4j.tablet.file;

import com.google.errorprone.annotations.FormatMethod;
import com.google.errorprone.annotations.FormatString;
import dev.kudu4j.common.status.KuduException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/**
 * Takes a footer apart. Every read is checked, so that a footer with a good checksum but wrong
 * content is reported like other broken bytes.
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

  /** An int that counts something of which each takes at least {@code leastBytes} bytes here. */
  public int getCount(int leastBytes) {
    int count = getInt();
    if (count < 0 || (long) count * leastBytes > bytes.remaining()) {
      throw broken(
          "expected a count of at most %d, found %d", bytes.remaining() / leastBytes, count);
    }
    return count;
  }

  /** Bytes behind their length; null for length -1. */
  public byte[] getBytes() {
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
    byte[] text = getBytes();
    if (text == null) {
      throw broken("expected a text of %d bytes or more, found none", 0);
    }
    return new String(text, StandardCharsets.UTF_8);
  }

  /** Checks that everything has been read. */
  public void end() {
    if (bytes.hasRemaining()) {
      throw broken("expected its end, found %d more bytes", bytes.remaining());
    }
  }

  /** A CORRUPTION at the current position. */
  @FormatMethod
  public KuduException broken(@FormatString String format, Object... args) {
    return KuduException.corruption(
        "%s: footer broken at offset %d: %s",
        fileName, fileOffset + bytes.position(), String.format(Locale.ROOT, format, args));
  }

  private ByteBuffer need(int count) {
    if (bytes.remaining() < count) {
      throw broken("expected %d more bytes, found %d", count, bytes.remaining());
    }
    return bytes;
  }
}
