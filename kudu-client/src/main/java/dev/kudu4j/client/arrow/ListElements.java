package dev.kudu4j.client.arrow;

import dev.kudu4j.client.arrow.ArrowDecoder.Received;
import dev.kudu4j.common.array.ArrayCellReader;
import dev.kudu4j.common.schema.DataType;
import dev.kudu4j.common.schema.LittleEndian;
import dev.kudu4j.common.status.KuduException;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.Arrays;

/**
 * The elements of all arrays of a column, one after another, in the layout of a column on the wire.
 *
 * @param offsets for each row the number of elements before its array, then the number of all
 * @param count the number of elements
 */
record ListElements(ByteBuf offsets, int count, Received column) {
  /**
   * Collects the elements of a column.
   *
   * @param arrays the cells of array type, whose sizes have been checked
   * @throws KuduException CORRUPTION if a cell is not an array of such elements
   */
  static ListElements of(DataType element, int rows, Received arrays) {
    byte[] cells = bytes(arrays.text());
    byte[] starts = bytes(arrays.data());
    byte[] offsets = new byte[(rows + 1) * Integer.BYTES];
    ArrayCellReader reader = new ArrayCellReader(element);
    Collector all = element.isVariableLength() ? new Texts() : new Numbers(element.width());
    for (int row = 0; row < rows; row++) {
      if (arrays.presence() == null || isPresent(arrays.presence(), row)) {
        int start = LittleEndian.getInt(starts, row * Integer.BYTES);
        int end = LittleEndian.getInt(starts, (row + 1) * Integer.BYTES);
        if (start < 0 || end < start || end > cells.length) {
          throw KuduException.corruption(
              "Scan response has an array at bytes %d to %d of %d", start, end, cells.length);
        }
        reader.open(cells, start, end - start);
        all.add(reader);
      }
      LittleEndian.putInt(offsets, (row + 1) * Integer.BYTES, all.count);
    }
    return new ListElements(Unpooled.wrappedBuffer(offsets), all.count, all.column());
  }

  private static byte[] bytes(ByteBuf buffer) {
    byte[] bytes = new byte[buffer.readableBytes()];
    buffer.getBytes(buffer.readerIndex(), bytes);
    return bytes;
  }

  private static boolean isPresent(ByteBuf presence, int row) {
    return (presence.getByte(presence.readerIndex() + (row >> 3)) >> (row & 7) & 1) != 0;
  }

  /** Bytes that grow. */
  private static byte[] withRoom(byte[] bytes, long size) {
    if (size <= bytes.length) {
      return bytes;
    }
    if (size > Integer.MAX_VALUE - 8) {
      throw KuduException.notSupported(
          "The arrays of a batch have more than %d bytes; scan with a smaller batch size",
          Integer.MAX_VALUE - 8);
    }
    return Arrays.copyOf(bytes, (int) Math.min(Integer.MAX_VALUE - 8, Math.max(size, 2 * size)));
  }

  /** Collects elements and whether they are present. */
  private abstract static class Collector {
    int count;
    byte[] data = new byte[1024];
    private byte[] presence = new byte[64];
    private boolean anyNull;

    final void add(ArrayCellReader array) {
      int added = array.count();
      presence = withRoom(presence, (count + added + 7L) >> 3);
      for (int i = 0; i < added; i++) {
        int at = count + i;
        if (array.isNull(i)) {
          anyNull = true;
        } else {
          presence[at >> 3] |= (byte) (1 << (at & 7));
        }
      }
      addElements(array, added);
      count += added;
    }

    abstract void addElements(ArrayCellReader array, int added);

    final Received column() {
      return new Received(
          Unpooled.wrappedBuffer(data, 0, dataBytes()),
          text(),
          anyNull ? Unpooled.wrappedBuffer(presence, 0, (count + 7) >> 3) : null);
    }

    abstract int dataBytes();

    abstract ByteBuf text();
  }

  private static final class Numbers extends Collector {
    private final int width;

    Numbers(int width) {
      this.width = width;
    }

    @Override
    void addElements(ArrayCellReader array, int added) {
      data = withRoom(data, (long) (count + added) * width);
      if (added > 0) {
        System.arraycopy(array.array(), array.elementOffset(0), data, count * width, added * width);
      }
    }

    @Override
    int dataBytes() {
      return count * width;
    }

    @Override
    ByteBuf text() {
      return null;
    }
  }

  private static final class Texts extends Collector {
    private byte[] text = new byte[1024];
    private int textBytes;

    @Override
    void addElements(ArrayCellReader array, int added) {
      data = withRoom(data, (count + added + 1L) * Integer.BYTES);
      for (int i = 0; i < added; i++) {
        if (!array.isNull(i)) {
          int length = array.elementLength(i);
          text = withRoom(text, (long) textBytes + length);
          System.arraycopy(array.array(), array.elementOffset(i), text, textBytes, length);
          textBytes += length;
        }
        LittleEndian.putInt(data, (count + i + 1) * Integer.BYTES, textBytes);
      }
    }

    @Override
    int dataBytes() {
      return (count + 1) * Integer.BYTES;
    }

    @Override
    ByteBuf text() {
      return Unpooled.wrappedBuffer(text, 0, textBytes);
    }
  }
}
