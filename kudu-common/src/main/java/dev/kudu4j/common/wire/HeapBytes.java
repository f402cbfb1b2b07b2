package dev.kudu4j.common.wire;

import com.google.protobuf.ByteOutput;
import com.google.protobuf.ByteString;
import com.google.protobuf.UnsafeByteOperations;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A stretch of a heap array that must not be written to: how row data of a request is read without
 * a copy.
 *
 * @param array holds more than this stretch; do not write to it
 */
@SuppressWarnings("ArrayRecordComponent") // a view, never compared
public record HeapBytes(byte[] array, int offset, int length) {

  /** The array behind {@code bytes}. Copies only a rope, which parsing never makes. */
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

  /** Catches the one array that a plain byte string hands over as its whole. */
  private static final class Revealer extends ByteOutput {
    private final int size;
    private @Nullable HeapBytes whole; // null until it is handed over

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
