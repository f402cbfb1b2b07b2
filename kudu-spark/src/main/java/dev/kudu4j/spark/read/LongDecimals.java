package dev.kudu4j.spark.read;

import dev.kudu4j.common.memory.Memory;
import org.apache.arrow.vector.BaseFixedWidthVector;
import org.apache.spark.sql.types.Decimal;
import org.apache.spark.sql.types.DecimalType;

/** Decimals of 10 to 18 digits: their unscaled values, 8 bytes each. */
final class LongDecimals extends ReceivedColumn {
  LongDecimals(BaseFixedWidthVector received, DecimalType type) {
    super(type, received);
  }

  @Override
  public Decimal getDecimal(int row, int precision, int scale) {
    return isNullAt(row)
        ? null
        : Decimal.createUnsafe(Memory.getLong(cells + 8L * row), precision, scale);
  }
}
