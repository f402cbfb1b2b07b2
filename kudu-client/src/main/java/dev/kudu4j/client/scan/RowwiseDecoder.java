package dev.kudu4j.client.scan;

import dev.kudu4j.common.proto.common.RowwiseRowBlockPB;
import dev.kudu4j.common.proto.tserver.ScanResponsePB;
import dev.kudu4j.common.status.KuduException;
import io.netty.buffer.ByteBuf;
import java.util.List;

/** Copies row-wise responses to the heap, where rows can be kept for any time. */
public final class RowwiseDecoder implements BatchDecoder<RowwiseRows> {
  private static final byte[] NOTHING = new byte[0];

  private final CellLayout layout;

  public RowwiseDecoder(CellLayout layout) {
    this.layout = layout;
  }

  @Override
  public boolean columnar() {
    return false;
  }

  @Override
  public RowwiseRows decode(ScanResponsePB answer, List<ByteBuf> sidecars) {
    RowwiseRowBlockPB block = answer.getData();
    int count = block.getNumRows();
    if (count == 0) {
      return new RowwiseRows(0, NOTHING, NOTHING);
    }
    byte[] rows = Sidecars.copy(sidecars, block.getRowsSidecar());
    if (count < 0 || (long) count * layout.rowBytes() != rows.length) {
      throw KuduException.corruption(
          "Scan response has %d bytes for %d rows of %d bytes each",
          rows.length, count, layout.rowBytes());
    }
    byte[] indirect =
        block.hasIndirectDataSidecar()
            ? Sidecars.copy(sidecars, block.getIndirectDataSidecar())
            : NOTHING;
    return new RowwiseRows(count, rows, indirect);
  }
}
