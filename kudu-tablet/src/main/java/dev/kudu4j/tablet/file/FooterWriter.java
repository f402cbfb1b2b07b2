package dev.kudu4j.tablet.file;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Builds a footer: little-endian numbers, and bytes with a length prefix. */
public final class FooterWriter {
  private ByteBuffer bytes = ByteBuffer.allocate(1024).order(ByteOrder.LITTLE_ENDIAN);

  public FooterWriter putByte(int value) {
    room(1).put((byte) value);
    return this;
  }

  public FooterWriter putInt(int value) {
    room(4).putInt(value);
    return this;
  }

  public FooterWriter putLong(long value) {
    room(8).putLong(value);
    return this;
  }

  /** Writes the length i32, then the bytes; for null, only the length -1. */
  public FooterWriter putBytes(byte @Nullable [] value) {
    if (value == null) {
      return putInt(-1);
    }
    return putBytes(value, 0, value.length);
  }

  public FooterWriter putBytes(byte[] value, int offset, int length) {
    putInt(length);
    room(length).put(value, offset, length);
    return this;
  }

  public FooterWriter putText(String value) {
    return putBytes(value.getBytes(StandardCharsets.UTF_8));
  }

  public byte[] toByteArray() {
    return Arrays.copyOf(bytes.array(), bytes.position());
  }

  private ByteBuffer room(int more) {
    if (bytes.remaining() < more) {
      int capacity = Math.max(bytes.capacity() * 2, bytes.position() + more);
      bytes = ByteBuffer.allocate(capacity).order(ByteOrder.LITTLE_ENDIAN).put(bytes.flip());
    }
    return bytes;
  }
}
