package dev.kudu4j.spark.read;

import dev.kudu4j.common.memory.Memory;
import org.apache.arrow.vector.BaseFixedWidthVector;
import org.apache.spark.sql.types.Decimal;
import org.apache.spark.sql.types.DecimalType;

/** Decimals of up to 9 digits: their unscaled values, 4 bytes each. */
final class IntDecimals extends ReceivedColumn {
  IntDecimals(BaseFixedWidthVector received, DecimalType type) {
    super(type, received);
  }

  @Override
  public Decimal getDecimal(int row, int precision, int scale) {
    return isNullAt(row)
        ? null
        : Decimal.createUnsafe(Memory.getInt(cells + 4L * row), precision, scale);
  }
}
