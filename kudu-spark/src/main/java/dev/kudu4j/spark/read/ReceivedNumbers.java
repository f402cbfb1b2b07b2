package dev.kudu4j.spark.read;

import dev.kudu4j.common.memory.Memory;
import org.apache.arrow.vector.BaseFixedWidthVector;
import org.apache.spark.sql.types.DataType;

/**
 * Numbers, dates and timestamps that are elements of arrays. When Spark copies an array, it also
 * reads the elements that are NULL. Arrow's vectors reject such reads by default; this class
 * returns an undefined value.
 */
final class ReceivedNumbers extends ReceivedColumn {
  ReceivedNumbers(DataType type, BaseFixedWidthVector received) {
    super(type, received);
  }

  @Override
  public byte getByte(int row) {
    return Memory.getByte(cells + row);
  }

  @Override
  public short getShort(int row) {
    return Memory.getShort(cells + 2L * row);
  }

  @Override
  public int getInt(int row) {
    return Memory.getInt(cells + 4L * row);
  }

  @Override
  public long getLong(int row) {
    return Memory.getLong(cells + 8L * row);
  }

  @Override
  public float getFloat(int row) {
    return Float.intBitsToFloat(getInt(row));
  }

  @Override
  public double getDouble(int row) {
    return Double.longBitsToDouble(getLong(row));
  }
}
