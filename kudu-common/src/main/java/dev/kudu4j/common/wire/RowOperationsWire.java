package dev.kudu4j.common.wire;

import com.google.protobuf.ByteOutput;
import com.google.protobuf.ByteString;
import com.google.protobuf.UnsafeByteOperations;
import dev.kudu4j.common.proto.common.RowOperationsPB;
import dev.kudu4j.common.row.RowLayout;
import dev.kudu4j.common.row.RowOperationsReader;
import dev.kudu4j.common.row.RowOperationsWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;

/** Packed row operations as they travel. */
public final class RowOperationsWire {
  private RowOperationsWire() {}

  /**
   * A reader of the message's own bytes; they are copied only when they do not lie in one array.
   */
  public static RowOperationsReader reader(RowOperationsPB pb, RowLayout layout) {
    View rows = View.of(pb.getRows());
    View indirect = View.of(pb.getIndirectData());
    return new RowOperationsReader(
        layout,
        rows.array,
        rows.offset,
        rows.length,
        indirect.array,
        indirect.offset,
        indirect.length);
  }

  public static RowOperationsPB toWire(RowOperationsWriter writer) {
    RowOperationsPB.Builder pb = RowOperationsPB.newBuilder();
    pb.setRows(ByteString.copyFrom(writer.rowsArray(), 0, writer.rowsLength()));
    if (writer.indirectLength() > 0) {
      pb.setIndirectData(ByteString.copyFrom(writer.indirectArray(), 0, writer.indirectLength()));
    }
    return pb.build();
  }

  /**
   * Where the bytes of a ByteString lie. protobuf lends its array only through an output: one call
   * of it means one array, several mean pieces, and then a copy is made.
   */
  private static final class View extends ByteOutput {
    private byte[] array = new byte[0];
    private int offset;
    private int length;
    private int calls;

    static View of(ByteString bytes) {
      View view = new View();
      try {
        UnsafeByteOperations.unsafeWriteTo(bytes, view);
      } catch (IOException e) {
        throw new UncheckedIOException(e); // nothing is written anywhere
      }
      if (view.calls != 1) {
        view.set(bytes.toByteArray(), 0, bytes.size());
      }
      return view;
    }

    private void set(byte[] value, int valueOffset, int valueLength) {
      array = value;
      offset = valueOffset;
      length = valueLength;
      calls++;
    }

    @Override
    public void write(byte value) {
      calls += 2;
    }

    @Override
    public void write(byte[] value, int valueOffset, int valueLength) {
      set(value, valueOffset, valueLength);
    }

    @Override
    public void writeLazy(byte[] value, int valueOffset, int valueLength) {
      set(value, valueOffset, valueLength);
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
