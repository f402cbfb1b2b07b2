package dev.kudu4j.spark.read;

import dev.kudu4j.common.memory.Memory;
import java.util.Optional;
import org.apache.arrow.vector.DecimalVector;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.Decimal;
import org.apache.spark.sql.types.DecimalType;

/**
 * Exact results of aggregates: unscaled values of 16 bytes each, all of which fit into 64 bits and
 * into the type of the column.
 */
final class WideNumbers extends ReceivedColumn {
  private static final int CELL_BYTES = 16;

  /** The most digits of a decimal that Spark keeps in 64 bits. */
  private static final int MAX_DIGITS = 18;

  private WideNumbers(DataType type, DecimalVector received) {
    super(type, received);
  }

  /**
   * @param type the type of the column: an integer or a decimal
   * @param received closed with the result
   * @return empty if a value does not fit, or has another scale
   */
  static Optional<WideNumbers> of(DataType type, DecimalVector received, int rows) {
    int scale = type instanceof DecimalType decimal ? decimal.scale() : 0;
    WideNumbers numbers = new WideNumbers(type, received);
    return received.getScale() == scale && numbers.fit(rows, max(type))
        ? Optional.of(numbers)
        : Optional.empty();
  }

  /** The greatest unscaled value of the type that may be kept in 64 bits. */
  private static long max(DataType type) {
    if (type instanceof DecimalType decimal) {
      return powerOfTen(Math.min(decimal.precision(), MAX_DIGITS)) - 1;
    } else if (type.equals(DataTypes.LongType)) {
      return Long.MAX_VALUE;
    } else if (type.equals(DataTypes.IntegerType)) {
      return Integer.MAX_VALUE;
    }
    return type.equals(DataTypes.ShortType) ? Short.MAX_VALUE : Byte.MAX_VALUE;
  }

  private static long powerOfTen(int exponent) {
    long power = 1;
    for (int i = 0; i < exponent; i++) {
      power *= 10;
    }
    return power;
  }

  /** Whether the absolute values are at most {@code max}; the cells of NULLs do not count. */
  private boolean fit(int rows, long max) {
    boolean fit = true;
    for (int row = 0; row < rows; row++) {
      long low = unscaled(row);
      boolean fits = Memory.getLong(cells + CELL_BYTES * (long) row + 8) == low >> 63;
      fit &= (fits && low <= max && low >= -max) || isNullAt(row);
    }
    return fit;
  }

  private long unscaled(int row) {
    return Memory.getLong(cells + CELL_BYTES * (long) row);
  }

  @Override
  public Decimal getDecimal(int row, int precision, int scale) {
    return isNullAt(row) ? null : Decimal.createUnsafe(unscaled(row), precision, scale);
  }

  @Override
  public long getLong(int row) {
    return unscaled(row);
  }

  @Override
  public int getInt(int row) {
    return (int) unscaled(row);
  }

  @Override
  public short getShort(int row) {
    return (short) unscaled(row);
  }

  @Override
  public byte getByte(int row) {
    return (byte) unscaled(row);
  }
}
