package dev.kudu4j.client;

import dev.kudu4j.CellForm;
import dev.kudu4j.ColumnSchema;
import dev.kudu4j.Schema;
import dev.kudu4j.client.scan.CellLayout;
import dev.kudu4j.client.scan.RowwiseRows;
import dev.kudu4j.common.schema.LittleEndian;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** A row of a row-wise batch. */
final class RowwiseRowResult extends RowResult {
  private final CellLayout layout;
  private final byte[] rows;
  private final byte[] indirect;
  private int row;
  private int rowOffset;

  RowwiseRowResult(Schema schema, CellLayout layout, int[] kinds, RowwiseRows batch) {
    super(schema, kinds);
    this.layout = layout;
    this.rows = batch.rows();
    this.indirect = batch.indirect();
  }

  @Override
  void moveTo(int newRow) {
    row = newRow;
    rowOffset = newRow * layout.rowBytes();
  }

  private int at(int columnIndex, int wanted) {
    check(columnIndex, wanted);
    return rowOffset + layout.offset(columnIndex);
  }

  @Override
  public int getInt(int columnIndex) {
    return LittleEndian.getInt(rows, at(columnIndex, INT));
  }

  @Override
  public short getShort(int columnIndex) {
    return LittleEndian.getShort(rows, at(columnIndex, SHORT));
  }

  @Override
  public boolean getBoolean(int columnIndex) {
    return rows[at(columnIndex, BOOLEAN)] != 0;
  }

  @Override
  public byte getByte(int columnIndex) {
    return rows[at(columnIndex, BYTE)];
  }

  @Override
  public long getLong(int columnIndex) {
    return LittleEndian.getLong(rows, at(columnIndex, LONG));
  }

  @Override
  public float getFloat(int columnIndex) {
    return Float.intBitsToFloat(LittleEndian.getInt(rows, at(columnIndex, FLOAT)));
  }

  @Override
  public double getDouble(int columnIndex) {
    return Double.longBitsToDouble(LittleEndian.getLong(rows, at(columnIndex, DOUBLE)));
  }

  @Override
  public BigDecimal getDecimal(int columnIndex) {
    int at = at(columnIndex, DECIMAL);
    int scale = getSchema().getColumnByIndex(columnIndex).getTypeAttributes().getScale();
    return CellForm.decimal(rows, at, layout.type(columnIndex).width(), scale);
  }

  @Override
  protected String getVarLengthData(int columnIndex) {
    int at = rowOffset + layout.offset(columnIndex);
    return new String(indirect, sliceOffset(at), sliceLength(at), StandardCharsets.UTF_8);
  }

  @Override
  public byte[] getBinaryCopy(int columnIndex) {
    int at = at(columnIndex, VARIABLE);
    int from = sliceOffset(at);
    return Arrays.copyOfRange(indirect, from, from + sliceLength(at));
  }

  @Override
  public ByteBuffer getBinary(int columnIndex) {
    int at = at(columnIndex, BINARY);
    return ByteBuffer.wrap(indirect, sliceOffset(at), sliceLength(at)).slice();
  }

  @Override
  ArrayCellView arrayAt(int columnIndex, ColumnSchema column) {
    int at = rowOffset + layout.offset(columnIndex);
    return new ArrayCellView(column, indirect, sliceOffset(at), sliceLength(at));
  }

  private int sliceOffset(int at) {
    return (int) LittleEndian.getLong(rows, at);
  }

  private int sliceLength(int at) {
    return (int) LittleEndian.getLong(rows, at + Long.BYTES);
  }

  @Override
  public boolean isNull(int columnIndex) {
    checkValidColumn(columnIndex);
    return kinds[columnIndex] < 0
        && (rows[rowOffset + layout.bitmapOffset() + (columnIndex >> 3)] >> (columnIndex & 7) & 1)
            != 0;
  }

  @Override
  public String toString() {
    return "RowResult(Rowwise) index: " + row + ", size: " + layout.rowBytes();
  }
}
