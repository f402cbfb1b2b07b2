package dev.kudu4j.common.wire;

import com.google.protobuf.ByteString;
import dev.kudu4j.common.proto.common.RowOperationsPB;
import dev.kudu4j.common.row.RowLayout;
import dev.kudu4j.common.row.RowOperations;
import dev.kudu4j.common.row.RowOperationsWriter;

/** Converts packed row operations to and from wire messages. */
public final class RowOperationsWire {
  private RowOperationsWire() {}

  /**
   * Views the bytes of a message as row operations. Copies them only if they are not in a single
   * array.
   */
  public static RowOperations fromWire(RowOperationsPB pb, RowLayout layout) {
    HeapBytes rows = HeapBytes.of(pb.getRows());
    HeapBytes indirect = HeapBytes.of(pb.getIndirectData());
    return new RowOperations(
        layout,
        rows.array(),
        rows.offset(),
        rows.length(),
        indirect.array(),
        indirect.offset(),
        indirect.length());
  }

  public static RowOperationsPB toWire(RowOperationsWriter writer) {
    RowOperationsPB.Builder pb = RowOperationsPB.newBuilder();
    pb.setRows(ByteString.copyFrom(writer.rowsArray(), 0, writer.rowsLength()));
    if (writer.indirectLength() > 0) {
      pb.setIndirectData(ByteString.copyFrom(writer.indirectArray(), 0, writer.indirectLength()));
    }
    return pb.build();
  }
}
