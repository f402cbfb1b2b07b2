package dev.kudu4j.client.scan;

import dev.kudu4j.common.proto.common.ColumnarRowBlockPB;
import dev.kudu4j.common.proto.tserver.ScanResponsePB;
import dev.kudu4j.common.schema.DataType;
import dev.kudu4j.common.schema.LittleEndian;
import dev.kudu4j.common.status.KuduException;
import io.netty.buffer.ByteBuf;
import java.util.List;

/** Copies columnar responses to the heap. */
public final class ColumnarDecoder implements BatchDecoder<ColumnarRows> {
  private final CellLayout layout;

  public ColumnarDecoder(CellLayout layout) {
    this.layout = layout;
  }

  @Override
  public boolean columnar() {
    return true;
  }

  @Override
  public ColumnarRows decode(ScanResponsePB answer, List<ByteBuf> sidecars) {
    return decode(answer.getColumnarData(), sidecars);
  }

  /**
   * Copies the rows of a block.
   *
   * @param sidecars borrowed
   */
  public ColumnarRows decode(ColumnarRowBlockPB block, List<ByteBuf> sidecars) {
    int count = Math.toIntExact(block.getNumRows());
    int columns = layout.columnCount();
    if (count == 0) {
      return new ColumnarRows(0, new byte[columns][], new byte[columns][], new byte[columns][]);
    }
    if (block.getColumnsCount() != columns) {
      throw KuduException.corruption(
          "Scan response has %d columns instead of %d", block.getColumnsCount(), columns);
    }
    byte[][] data = new byte[columns][];
    byte[][] text = new byte[columns][];
    byte[][] presence = new byte[columns][];
    for (int i = 0; i < columns; i++) {
      ColumnarRowBlockPB.Column column = block.getColumns(i);
      data[i] = Sidecars.copy(sidecars, column.getDataSidecar());
      if (layout.type(i).isVariableLength()) {
        text[i] = Sidecars.copy(sidecars, column.getVarlenDataSidecar());
      }
      if (layout.isNullable(i) && column.hasNonNullBitmapSidecar()) {
        presence[i] = Sidecars.copy(sidecars, column.getNonNullBitmapSidecar());
      }
      check(i, count, data[i], text[i], presence[i]);
    }
    return new ColumnarRows(count, data, text, presence);
  }

  private void check(int column, int count, byte[] data, byte[] text, byte[] presence) {
    DataType type = layout.type(column);
    long expected = type.isVariableLength() ? 4L * (count + 1L) : (long) type.width() * count;
    boolean broken =
        data.length != expected
            || (presence != null && presence.length < (count + 7) / 8)
            || (type.isVariableLength()
                && LittleEndian.getInt(data, count * Integer.BYTES) != text.length);
    if (broken) {
      throw KuduException.corruption(
          "Scan response has %d bytes for %d rows of column %d, which is %s",
          data.length, count, column, type);
    }
  }
}
