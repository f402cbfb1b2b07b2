package dev.kudu4j.spark.read;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.Decimal;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.vectorized.ColumnVector;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import org.apache.spark.unsafe.types.UTF8String;

/** A column of rows that have been built one by one, for results that cannot be read in place. */
final class RowVector extends TypedVector {
  private static final int MAX_ROWS = 4096;

  private final List<InternalRow> rows;
  private final int column;

  private RowVector(DataType type, List<InternalRow> rows, int column) {
    super(type);
    this.rows = rows;
    this.column = column;
  }

  /** A batch of the next rows, of which there must be at least one. */
  static ColumnarBatch batch(Iterator<InternalRow> from, StructType columns) {
    List<InternalRow> rows = new ArrayList<>();
    while (rows.size() < MAX_ROWS && from.hasNext()) {
      rows.add(from.next());
    }
    ColumnVector[] vectors = new ColumnVector[columns.length()];
    for (int i = 0; i < vectors.length; i++) {
      vectors[i] = new RowVector(columns.fields()[i].dataType(), rows, i);
    }
    return new ColumnarBatch(vectors, rows.size());
  }

  @Override
  public boolean hasNull() {
    return numNulls() > 0;
  }

  @Override
  public int numNulls() {
    return (int) rows.stream().filter(row -> row.isNullAt(column)).count();
  }

  @Override
  public boolean isNullAt(int row) {
    return rows.get(row).isNullAt(column);
  }

  @Override
  public boolean getBoolean(int row) {
    return rows.get(row).getBoolean(column);
  }

  @Override
  public byte getByte(int row) {
    return rows.get(row).getByte(column);
  }

  @Override
  public short getShort(int row) {
    return rows.get(row).getShort(column);
  }

  @Override
  public int getInt(int row) {
    return rows.get(row).getInt(column);
  }

  @Override
  public long getLong(int row) {
    return rows.get(row).getLong(column);
  }

  @Override
  public float getFloat(int row) {
    return rows.get(row).getFloat(column);
  }

  @Override
  public double getDouble(int row) {
    return rows.get(row).getDouble(column);
  }

  @Override
  public Decimal getDecimal(int row, int precision, int scale) {
    return rows.get(row).getDecimal(column, precision, scale);
  }

  @Override
  public UTF8String getUTF8String(int row) {
    return rows.get(row).getUTF8String(column);
  }

  @Override
  public byte[] getBinary(int row) {
    return rows.get(row).getBinary(column);
  }

  @Override
  public void close() {}
}
