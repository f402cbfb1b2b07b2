package dev.kudu4j.common.wire;

import com.google.protobuf.ByteOutput;
import com.google.protobuf.ByteString;
import com.google.protobuf.UnsafeByteOperations;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;

/**
 * Where the bytes of a {@link ByteString} lie in an array. They are copied only when they do not lie in one array.
 * Whoever holds a view must not change the bytes.
 */
public final class ArrayView {
  private final byte[] array;
  private final int offset;
  private final int length;

  private ArrayView(byte[] array, int offset, int length) {
    this.array = array;
    this.offset = offset;
    this.length = length;
  }

  public static ArrayView of(ByteString bytes) {
    Catch output = new Catch();
    try {
      UnsafeByteOperations.unsafeWriteTo(bytes, output);
    } catch (IOException e) {
      throw new UncheckedIOException(e); // nothing is written anywhere
    }
    return output.calls == 1
        ? new ArrayView(output.array, output.offset, output.length)
        : new ArrayView(bytes.toByteArray(), 0, bytes.size());
  }

  public byte[] array() {
    return array;
  }

  public int offset() {
    return offset;
  }

  public int length() {
    return length;
  }

  /** protobuf lends its array only to an output: one call with an array means one array, several mean pieces. */
  private static final class Catch extends ByteOutput {
    private byte[] array;
    private int offset;
    private int length;
    private int calls;

    @Override
    public void write(byte value) {
      calls += 2;
    }

    @Override
    public void write(byte[] value, int valueOffset, int valueLength) {
      writeLazy(value, valueOffset, valueLength);
    }

    @Override
    public void writeLazy(byte[] value, int valueOffset, int valueLength) {
      array = value;
      offset = valueOffset;
      length = valueLength;
      calls++;
    }

    @Override
    public void write(ByteBuffer value) {
      calls += 2;
    }

    @Override
    public void writeLazy(ByteBuffer value) {
      calls += 2;
    }
  }
}
