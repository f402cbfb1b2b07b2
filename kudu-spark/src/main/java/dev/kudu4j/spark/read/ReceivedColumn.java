package dev.kudu4j.spark.read;

import dev.kudu4j.common.memory.Memory;
import org.apache.arrow.vector.BaseFixedWidthVector;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.Decimal;
import org.apache.spark.sql.vectorized.ColumnVector;
import org.apache.spark.sql.vectorized.ColumnarArray;
import org.apache.spark.sql.vectorized.ColumnarMap;
import org.apache.spark.unsafe.types.UTF8String;

/** Fixed-width cells in the memory of a server's response, with a bitmap of non-null cells. */
abstract class ReceivedColumn extends ColumnVector {
  final long cells; // address
  private final BaseFixedWidthVector received; // owned
  private final long presence; // address; not read if there are no NULLs
  private final int nulls;

  /**
   * @param received closed with this column
   */
  ReceivedColumn(DataType type, BaseFixedWidthVector received) {
    super(type);
    this.received = received;
    this.cells = received.getDataBuffer().memoryAddress();
    this.nulls = received.getNullCount();
    this.presence = nulls == 0 ? 0 : received.getValidityBuffer().memoryAddress();
  }

  @Override
  public final boolean hasNull() {
    return nulls > 0;
  }

  @Override
  public final int numNulls() {
    return nulls;
  }

  @Override
  public final boolean isNullAt(int row) {
    return nulls > 0 && (Memory.getByte(presence + (row >> 3)) >> (row & 7) & 1) == 0;
  }

  @Override
  public final void close() {
    received.close();
  }

  // Spark calls only the accessor of the column's type. All other accessors fail.

  private UnsupportedOperationException otherType() {
    return new UnsupportedOperationException("A column of " + type.sql());
  }

  @Override
  public boolean getBoolean(int row) {
    throw otherType();
  }

  @Override
  public byte getByte(int row) {
    throw otherType();
  }

  @Override
  public short getShort(int row) {
    throw otherType();
  }

  @Override
  public int getInt(int row) {
    throw otherType();
  }

  @Override
  public long getLong(int row) {
    throw otherType();
  }

  @Override
  public float getFloat(int row) {
    throw otherType();
  }

  @Override
  public double getDouble(int row) {
    throw otherType();
  }

  @Override
  public ColumnarArray getArray(int row) {
    throw otherType();
  }

  @Override
  public ColumnarMap getMap(int row) {
    throw otherType();
  }

  @Override
  public Decimal getDecimal(int row, int precision, int scale) {
    throw otherType();
  }

  @Override
  public UTF8String getUTF8String(int row) {
    throw otherType();
  }

  @Override
  public byte[] getBinary(int row) {
    throw otherType();
  }

  @Override
  public ColumnVector getChild(int ordinal) {
    throw otherType();
  }
}
