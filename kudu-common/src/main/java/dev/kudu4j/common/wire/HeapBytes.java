package dev.kudu4j.common.wire;

import com.google.protobuf.ByteOutput;
import com.google.protobuf.ByteString;
import com.google.protobuf.UnsafeByteOperations;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A read-only slice of a heap array: access to the row data of a request without a copy.
 *
 * @param array may contain more than this slice; callers must not modify it
 */
@SuppressWarnings("ArrayRecordComponent") // a view; it is never compared
public record HeapBytes(byte[] array, int offset, int length) {

  /**
   * The slice that contains {@code bytes}. Copies the bytes only if they form a rope (several
   * arrays), which parsing never creates.
   */
  public static HeapBytes of(ByteString bytes) {
    if (bytes.isEmpty()) {
      return new HeapBytes(new byte[0], 0, 0);
    }
    Revealer revealer = new Revealer(bytes.size());
    try {
      UnsafeByteOperations.unsafeWriteTo(bytes, revealer);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    if (revealer.whole != null) {
      return revealer.whole;
    }
    byte[] copy = bytes.toByteArray();
    return new HeapBytes(copy, 0, copy.length);
  }

  /** Receives the array of a byte string that consists of a single array. */
  private static final class Revealer extends ByteOutput {
    private final int size;
    private @Nullable HeapBytes whole; // null until the array is passed on

    Revealer(int size) {
      this.size = size;
    }

    @Override
    public void writeLazy(byte[] value, int offset, int length) {
      if (length == size) {
        whole = new HeapBytes(value, offset, length);
      }
    }

    @Override
    public void write(byte value) {}

    @Override
    public void write(byte[] value, int offset, int length) {
      writeLazy(value, offset, length);
    }

    @Override
    public void write(ByteBuffer value) {}

    @Override
    public void writeLazy(ByteBuffer value) {}
  }
}
