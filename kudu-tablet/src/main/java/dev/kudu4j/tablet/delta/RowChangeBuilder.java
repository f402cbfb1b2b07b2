package dev.kudu4j.tablet.delta;

import dev.kudu4j.common.memory.Memory;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * Builds {@link RowChange} bytes in a reusable array. Not thread-safe.
 *
 * <pre>{@code
 * builder.begin(RowChange.UPDATE);
 * builder.addCell(columnId, cell, offset, length);
 * store.add(ordinal, timestamp, sequence, builder.array(), 0, builder.length());
 * }</pre>
 */
public final class RowChangeBuilder {
  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle SHORT =
      MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.LITTLE_ENDIAN);
  private static final int MAX_CELLS = 0xffff;

  private byte[] bytes = new byte[128];
  private int length;
  private int cellCount;

  /** Starts a change of the kind without cells, and discards the previous change. */
  public void begin(byte kind) {
    assert kind == RowChange.UPDATE || kind == RowChange.DELETE || kind == RowChange.REINSERT;
    bytes[0] = kind;
    length = RowChange.HEADER_BYTES;
    setCellCount(0);
  }

  private void setCellCount(int cells) {
    cellCount = cells;
    SHORT.set(bytes, 1, (short) cells);
  }

  /** Adds a non-NULL cell, given in cell form. */
  public void addCell(int columnId, byte[] cell, int offset, int cellLength) {
    int at = startCell(columnId, cellLength, cellLength);
    System.arraycopy(cell, offset, bytes, at, cellLength);
  }

  /** Adds a non-NULL cell, given in cell form in raw memory. */
  public void addCell(int columnId, long cell, int cellLength) {
    int at = startCell(columnId, cellLength, cellLength);
    Memory.copy(cell, bytes, at, cellLength);
  }

  public void addNull(int columnId) {
    startCell(columnId, RowChange.NULL_LENGTH, 0);
  }

  private int startCell(int columnId, int statedLength, int cellBytes) {
    assert length >= RowChange.HEADER_BYTES : "addCell called before begin";
    assert cellCount < MAX_CELLS && bytes[0] != RowChange.DELETE;
    int at = length + RowChange.CELL_HEADER_BYTES;
    ensure(at + cellBytes);
    INT.set(bytes, length, columnId);
    INT.set(bytes, length + 4, statedLength);
    length = at + cellBytes;
    setCellCount(cellCount + 1);
    return at;
  }

  private void ensure(int needed) {
    if (needed > bytes.length) {
      bytes = Arrays.copyOf(bytes, Math.max(needed, 2 * bytes.length));
    }
  }

  /** Whether the change sets the column. */
  public boolean hasCell(int columnId) {
    int at = RowChange.HEADER_BYTES;
    for (int cell = 0; cell < cellCount; cell++) {
      if ((int) INT.get(bytes, at) == columnId) {
        return true;
      }
      int stated = (int) INT.get(bytes, at + 4);
      at += RowChange.CELL_HEADER_BYTES + (stated == RowChange.NULL_LENGTH ? 0 : stated);
    }
    return false;
  }

  public int cellCount() {
    return cellCount;
  }

  /**
   * The change: the first {@link #length} bytes of the array. The next call that adds a cell may
   * replace the array.
   */
  public byte[] array() {
    return bytes;
  }

  public int length() {
    return length;
  }
}
