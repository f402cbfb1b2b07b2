package dev.kudu4j.client.arrow;

import dev.kudu4j.client.scan.BatchDecoder;
import dev.kudu4j.client.scan.CellLayout;
import dev.kudu4j.client.scan.ColumnarRows;
import dev.kudu4j.client.scan.RowBatchDecoder;
import dev.kudu4j.client.scan.RowFilter;
import dev.kudu4j.client.scan.Sidecars;
import dev.kudu4j.common.proto.common.ColumnarRowBlockPB;
import dev.kudu4j.common.proto.tserver.ScanResponsePB;
import dev.kudu4j.common.schema.DataType;
import dev.kudu4j.common.schema.LittleEndian;
import dev.kudu4j.common.status.KuduException;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.ForeignAllocation;
import org.apache.arrow.vector.ipc.message.ArrowFieldNode;
import org.apache.arrow.vector.ipc.message.ArrowRecordBatch;

/**
 * Decodes columnar responses into record batches.
 *
 * <p>Where the layouts agree (numbers, dates, timestamps, wide decimals, text with its offsets,
 * presence bits) a vector's buffer is the memory of the response, which is freed when the last
 * vector of the batch is closed. Booleans are converted to bits and decimals to 128 bits, unless
 * the cells are requested {@link ArrowFields.Form#AS_RECEIVED as received}. Arrays become lists
 * through the heap. All memory is accounted to the caller's allocator.
 */
public final class ArrowDecoder implements BatchDecoder<ArrowRecordBatch> {
  private final CellLayout layout;
  private final ArrowFields.Form form;
  private final BufferAllocator allocator;

  /**
   * @param allocator borrowed; outlives all batches
   */
  public ArrowDecoder(CellLayout layout, ArrowFields.Form form, BufferAllocator allocator) {
    this.layout = layout;
    this.form = form;
    this.allocator = allocator;
  }

  @Override
  public boolean columnar() {
    return true;
  }

  /** Returns the batch; null if it has no row. */
  @Override
  public ArrowRecordBatch decode(ScanResponsePB answer, List<ByteBuf> sidecars) {
    ColumnarRowBlockPB block = answer.getColumnarData();
    int rows = Math.toIntExact(block.getNumRows());
    if (rows == 0) {
      return null;
    }
    if (block.getColumnsCount() != layout.columnCount()) {
      throw KuduException.corruption(
          "Scan response has %d columns instead of %d",
          block.getColumnsCount(), layout.columnCount());
    }
    return batch(
        rows,
        index -> {
          ColumnarRowBlockPB.Column column = block.getColumns(index);
          boolean text = layout.type(index).isVariableLength();
          boolean nulls = layout.isNullable(index) && column.hasNonNullBitmapSidecar();
          return new Received(
              Sidecars.get(sidecars, column.getDataSidecar()),
              text ? Sidecars.get(sidecars, column.getVarlenDataSidecar()) : null,
              nulls ? Sidecars.get(sidecars, column.getNonNullBitmapSidecar()) : null);
        });
  }

  /**
   * The rows that the filter selects are copied, because no vector of the response has only them.
   */
  @Override
  public BatchDecoder<ArrowRecordBatch> filtered(RowFilter filter) {
    RowBatchDecoder all = RowBatchDecoder.columnar(filter.layout());
    return new BatchDecoder<>() {
      @Override
      public boolean columnar() {
        return true;
      }

      @Override
      public ArrowRecordBatch decode(ScanResponsePB answer, List<ByteBuf> sidecars) {
        return copy(filter.select(all.decode(answer, sidecars)));
      }

      @Override
      public int rowCount(ArrowRecordBatch batch, ScanResponsePB answer) {
        return batch == null ? 0 : batch.getLength();
      }

      @Override
      public void discard(ArrowRecordBatch batch) {
        batch.close();
      }
    };
  }

  /** Copies rows from the heap; returns null if there are none. */
  public ArrowRecordBatch copy(ColumnarRows rows) {
    return rows.count() == 0 ? null : batch(rows.count(), index -> received(rows, index));
  }

  private Received received(ColumnarRows rows, int index) {
    int count = rows.count();
    byte[] data = rows.data()[index];
    byte[] text = rows.text()[index];
    byte[] presence = rows.presence()[index];
    int textBytes = text == null ? 0 : LittleEndian.getInt(data, count * Integer.BYTES);
    int bytes = text == null ? count * layout.type(index).width() : (count + 1) * Integer.BYTES;
    return new Received(
        Unpooled.wrappedBuffer(data, 0, bytes),
        text == null ? null : Unpooled.wrappedBuffer(text, 0, textBytes),
        presence == null ? null : Unpooled.wrappedBuffer(presence, 0, (count + 7) / 8));
  }

  /**
   * A column in the layout of the wire.
   *
   * @param data cells, or offsets into the text
   * @param text null for a column of cells of one size
   * @param presence null if there are no NULLs
   */
  record Received(ByteBuf data, ByteBuf text, ByteBuf presence) {}

  private ArrowRecordBatch batch(int rows, IntFunction<Received> columns) {
    List<ArrowFieldNode> nodes = new ArrayList<>(layout.columnCount());
    List<ArrowBuf> buffers = new ArrayList<>(3 * layout.columnCount());
    try {
      for (int i = 0; i < layout.columnCount(); i++) {
        add(i, layout.type(i), rows, columns.apply(i), nodes, buffers);
      }
      return new ArrowRecordBatch(rows, nodes, buffers); // the batch retains the buffers
    } finally {
      buffers.forEach(ArrowBuf::close);
    }
  }

  private void add(
      int index,
      DataType type,
      int rows,
      Received column,
      List<ArrowFieldNode> nodes,
      List<ArrowBuf> buffers) {
    int nulls = 0;
    if (column.presence() != null) {
      ByteBuf presence = column.presence();
      check(index, presence, (rows + 7) / 8);
      nulls = rows - presentCount(presence, rows);
      buffers.add(share(presence));
    } else {
      buffers.add(allocator.getEmpty());
    }
    nodes.add(new ArrowFieldNode(rows, nulls));
    ByteBuf data = column.data();
    if (type.isVariableLength()) {
      check(index, data, (rows + 1) * Integer.BYTES);
      ByteBuf text = column.text();
      check(index, text, data.getIntLE(data.readerIndex() + rows * Integer.BYTES));
      if (type == DataType.NESTED) {
        DataType element = layout.scalarType(index);
        ListElements elements = ListElements.of(element, rows, column);
        buffers.add(share(elements.offsets()));
        add(index, element, elements.count(), elements.column(), nodes, buffers);
        return;
      }
      buffers.add(share(data));
      buffers.add(share(text));
      return;
    }
    check(index, data, rows * type.width());
    buffers.add(form == ArrowFields.Form.AS_RECEIVED ? share(data) : converted(type, data, rows));
  }

  private ArrowBuf converted(DataType type, ByteBuf data, int rows) {
    return switch (type) {
      case BOOL, IS_DELETED -> bits(data, rows);
      case DECIMAL32, DECIMAL64 -> wideDecimals(data, rows, type.width());
      default -> share(data);
    };
  }

  private static void check(int index, ByteBuf sidecar, int bytes) {
    if (bytes < 0 || sidecar.readableBytes() < bytes) {
      throw KuduException.corruption(
          "Scan response has %d bytes of column %d, which needs %d bytes",
          sidecar.readableBytes(), index, bytes);
    }
  }

  private static int presentCount(ByteBuf presence, int rows) {
    int from = presence.readerIndex();
    int count = 0;
    int row = 0;
    for (; row + 64 <= rows; row += 64) {
      count += Long.bitCount(presence.getLong(from + (row >> 3)));
    }
    for (; row < rows; row++) {
      count += presence.getByte(from + (row >> 3)) >> (row & 7) & 1;
    }
    return count;
  }

  /**
   * A buffer that shares a sidecar's memory and keeps it alive. If the memory has no address, the
   * buffer holds a copy.
   */
  private ArrowBuf share(ByteBuf sidecar) {
    int bytes = sidecar.readableBytes();
    if (bytes == 0) {
      return allocator.getEmpty();
    }
    if (!sidecar.hasMemoryAddress()) {
      byte[] copied = new byte[bytes];
      sidecar.getBytes(sidecar.readerIndex(), copied);
      ArrowBuf copy = allocator.buffer(bytes);
      copy.setBytes(0, copied); // through the heap: ArrowBuf.nioBuffer needs a JVM flag
      return copy.writerIndex(bytes);
    }
    try {
      return allocator.wrapForeignAllocation(new SharedSidecar(sidecar)).writerIndex(bytes);
    } catch (RuntimeException | Error e) { // release0 is not called
      sidecar.release();
      throw e;
    }
  }

  /** A reference to the response that a sidecar is part of. */
  private static final class SharedSidecar extends ForeignAllocation {
    private final ByteBuf sidecar;

    SharedSidecar(ByteBuf sidecar) {
      super(sidecar.readableBytes(), sidecar.memoryAddress() + sidecar.readerIndex());
      this.sidecar = sidecar.retain();
    }

    @Override
    protected void release0() {
      sidecar.release();
    }
  }

  /** Packs bit 0 of each byte, eight bytes at a time: the product moves bit 8 * i to bit 56 + i. */
  private ArrowBuf bits(ByteBuf bytes, int rows) {
    int length = (rows + 7) / 8;
    ArrowBuf bits = allocator.buffer(length);
    int from = bytes.readerIndex();
    int row = 0;
    for (; row + 8 <= rows; row += 8) {
      long eight = bytes.getLongLE(from + row) & 0x0101010101010101L;
      bits.setByte(row >> 3, (byte) ((eight * 0x0102040810204080L) >>> 56));
    }
    if (row < rows) {
      int last = 0;
      for (int i = 0; row + i < rows; i++) {
        last |= (bytes.getByte(from + row + i) & 1) << i;
      }
      bits.setByte(row >> 3, (byte) last);
    }
    return bits.writerIndex(length);
  }

  private ArrowBuf wideDecimals(ByteBuf data, int rows, int width) {
    ArrowBuf wide = allocator.buffer(16L * rows);
    int from = data.readerIndex();
    for (int row = 0; row < rows; row++) {
      long unscaled =
          width == Integer.BYTES
              ? data.getIntLE(from + row * Integer.BYTES)
              : data.getLongLE(from + row * Long.BYTES);
      wide.setLong(16L * row, unscaled);
      wide.setLong(16L * row + 8, unscaled >> 63);
    }
    return wide.writerIndex(16L * rows);
  }

  @Override
  public void discard(ArrowRecordBatch batch) {
    batch.close();
  }
}
