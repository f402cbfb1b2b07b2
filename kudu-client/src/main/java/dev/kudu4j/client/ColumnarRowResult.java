package dev.kudu4j.client;

import dev.kudu4j.CellForm;
import dev.kudu4j.ColumnSchema;
import dev.kudu4j.Schema;
import dev.kudu4j.client.scan.CellLayout;
import dev.kudu4j.client.scan.ColumnarRows;
import dev.kudu4j.common.schema.LittleEndian;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** A row of a columnar batch. */
final class ColumnarRowResult extends RowResult {
  private final CellLayout layout;
  private final byte[][] data;
  private final byte[][] text;
  private final byte[][] presence;
  private int row;

  ColumnarRowResult(Schema schema, CellLayout layout, int[] kinds, ColumnarRows batch) {
    super(schema, kinds);
    this.layout = layout;
    this.data = batch.data();
    this.text = batch.text();
    this.presence = batch.presence();
  }

  @Override
  void moveTo(int newRow) {
    row = newRow;
  }

  @Override
  public int getInt(int columnIndex) {
    check(columnIndex, INT);
    return LittleEndian.getInt(data[columnIndex], row * Integer.BYTES);
  }

  @Override
  public short getShort(int columnIndex) {
    check(columnIndex, SHORT);
    return LittleEndian.getShort(data[columnIndex], row * Short.BYTES);
  }

  @Override
  public boolean getBoolean(int columnIndex) {
    check(columnIndex, BOOLEAN);
    return data[columnIndex][row] != 0;
  }

  @Override
  public byte getByte(int columnIndex) {
    check(columnIndex, BYTE);
    return data[columnIndex][row];
  }

  @Override
  public long getLong(int columnIndex) {
    check(columnIndex, LONG);
    return LittleEndian.getLong(data[columnIndex], row * Long.BYTES);
  }

  @Override
  public float getFloat(int columnIndex) {
    check(columnIndex, FLOAT);
    return Float.intBitsToFloat(LittleEndian.getInt(data[columnIndex], row * Float.BYTES));
  }

  @Override
  public double getDouble(int columnIndex) {
    check(columnIndex, DOUBLE);
    return Double.longBitsToDouble(LittleEndian.getLong(data[columnIndex], row * Double.BYTES));
  }

  @Override
  public BigDecimal getDecimal(int columnIndex) {
    check(columnIndex, DECIMAL);
    int width = layout.type(columnIndex).width();
    int scale = getSchema().getColumnByIndex(columnIndex).getTypeAttributes().getScale();
    return CellForm.decimal(data[columnIndex], row * width, width, scale);
  }

  @Override
  protected String getVarLengthData(int columnIndex) {
    int from = start(columnIndex);
    return new String(text[columnIndex], from, end(columnIndex) - from, StandardCharsets.UTF_8);
  }

  @Override
  public byte[] getBinaryCopy(int columnIndex) {
    check(columnIndex, VARIABLE);
    return Arrays.copyOfRange(text[columnIndex], start(columnIndex), end(columnIndex));
  }

  @Override
  public ByteBuffer getBinary(int columnIndex) {
    check(columnIndex, BINARY);
    int from = start(columnIndex);
    return ByteBuffer.wrap(text[columnIndex], from, end(columnIndex) - from).slice();
  }

  @Override
  ArrayCellView arrayAt(int columnIndex, ColumnSchema column) {
    int from = start(columnIndex);
    return new ArrayCellView(column, text[columnIndex], from, end(columnIndex) - from);
  }

  private int start(int columnIndex) {
    return LittleEndian.getInt(data[columnIndex], row * Integer.BYTES);
  }

  private int end(int columnIndex) {
    return LittleEndian.getInt(data[columnIndex], (row + 1) * Integer.BYTES);
  }

  @Override
  public boolean isNull(int columnIndex) {
    checkValidColumn(columnIndex);
    byte[] bits = presence[columnIndex];
    return bits != null && (bits[row >> 3] >> (row & 7) & 1) == 0;
  }

  @Override
  public String toString() {
    return "ColumnarRowResult index: " + row;
  }
}
