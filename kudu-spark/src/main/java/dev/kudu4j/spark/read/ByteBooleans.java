package dev.kudu4j.spark.read;

import dev.kudu4j.common.memory.Memory;
import org.apache.arrow.vector.BaseFixedWidthVector;
import org.apache.spark.sql.types.DataTypes;

/** Booleans of one byte each. */
final class ByteBooleans extends ReceivedColumn {
  ByteBooleans(BaseFixedWidthVector received) {
    super(DataTypes.BooleanType, received);
  }

  @Override
  public boolean getBoolean(int row) {
    return Memory.getByte(cells + row) != 0;
  }
}
