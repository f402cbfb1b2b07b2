package dev.kudu4j.tserver.scan;

import dev.kudu4j.common.proto.common.ColumnarRowBlockPB;
import dev.kudu4j.common.proto.common.RowwiseRowBlockPB;
import dev.kudu4j.common.proto.tserver.ScanResponsePB;
import dev.kudu4j.tablet.batch.ColumnBatch;
import dev.kudu4j.tablet.scan.sink.ColumnarResult;
import dev.kudu4j.tablet.scan.sink.RowwiseResult;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;

/**
 * The rows of one reply: a block message and its sidecars, in the order of their indexes in the
 * message.
 */
public final class ReplyBlock {
  private ReplyBlock() {}

  /**
   * Adds the description of the batch to the reply and returns the sidecars, which the caller then
   * owns.
   *
   * @param batch borrowed
   */
  static List<ByteBuf> add(
      ScanResponsePB.Builder reply, ColumnBatch batch, BufferAllocator allocator, long flags) {
    List<ByteBuf> sidecars = new ArrayList<>();
    try {
      if (ScanPlan.isColumnar(flags)) {
        reply.setColumnarData(columnar(batch, sidecars));
      } else {
        try (RowwiseResult result = RowwiseResult.of(batch, allocator, ScanPlan.isPadded(flags))) {
          reply.setData(rowwise(result, sidecars));
        }
      }
      return sidecars;
    } catch (RuntimeException | Error e) {
      sidecars.forEach(ByteBuf::release);
      throw e;
    }
  }

  /**
   * Describes the batch in columnar form.
   *
   * @param batch borrowed
   * @param sidecars receives the sidecars, which the caller then owns, also if this fails
   */
  public static ColumnarRowBlockPB columnar(ColumnBatch batch, List<ByteBuf> sidecars) {
    try (ColumnarResult result = ColumnarResult.of(batch)) {
      return columnar(result, sidecars);
    }
  }

  private static ColumnarRowBlockPB columnar(ColumnarResult result, List<ByteBuf> sidecars) {
    ColumnarRowBlockPB.Builder block =
        ColumnarRowBlockPB.newBuilder().setNumRows(result.rowCount());
    for (int i = 0; i < result.columnCount(); i++) {
      ColumnarRowBlockPB.Column.Builder column = block.addColumnsBuilder();
      column.setDataSidecar(addSidecar(sidecars, result.data(i)));
      ArrowBuf varlen = result.varlen(i);
      if (varlen != null) {
        column.setVarlenDataSidecar(addSidecar(sidecars, varlen));
      }
      ArrowBuf presence = result.presence(i);
      if (presence != null) {
        column.setNonNullBitmapSidecar(addSidecar(sidecars, presence));
      }
    }
    return block.build();
  }

  private static RowwiseRowBlockPB rowwise(RowwiseResult result, List<ByteBuf> sidecars) {
    RowwiseRowBlockPB.Builder block =
        RowwiseRowBlockPB.newBuilder()
            .setNumRows(result.rowCount())
            .setRowsSidecar(addSidecar(sidecars, result.rows()));
    if (result.indirect() != null) {
      block.setIndirectDataSidecar(addSidecar(sidecars, result.indirect()));
    }
    return block.build();
  }

  private static int addSidecar(List<ByteBuf> sidecars, ArrowBuf buffer) {
    int bytes = (int) buffer.writerIndex();
    sidecars.add(bytes == 0 ? Unpooled.EMPTY_BUFFER : ArrowSidecar.share(buffer, bytes));
    return sidecars.size() - 1;
  }
}
