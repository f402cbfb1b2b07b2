package dev.kudu4j.util;

import dev.kudu4j.ColumnTypeAttributes;
import dev.kudu4j.Type;
import dev.kudu4j.common.schema.DataType;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;

/** Limits of decimals, and the conversion of values to a column's precision and scale. */
public final class DecimalUtil {
  public static final int MAX_DECIMAL32_PRECISION = 9;
  public static final int MAX_UNSCALED_DECIMAL32 = 999_999_999;
  public static final int MIN_UNSCALED_DECIMAL32 = -MAX_UNSCALED_DECIMAL32;
  public static final int DECIMAL32_SIZE = 4;

  public static final int MAX_DECIMAL64_PRECISION = 18;
  public static final long MAX_UNSCALED_DECIMAL64 = 999_999_999_999_999_999L;
  public static final long MIN_UNSCALED_DECIMAL64 = -MAX_UNSCALED_DECIMAL64;
  public static final int DECIMAL64_SIZE = 8;

  public static final int MAX_DECIMAL128_PRECISION = 38;
  public static final BigInteger MAX_UNSCALED_DECIMAL128 =
      BigInteger.TEN.pow(MAX_DECIMAL128_PRECISION).subtract(BigInteger.ONE);
  public static final BigInteger MIN_UNSCALED_DECIMAL128 = MAX_UNSCALED_DECIMAL128.negate();
  public static final int DECIMAL128_SIZE = 16;

  public static final int MIN_DECIMAL_PRECISION = 1;
  public static final int MAX_DECIMAL_PRECISION = MAX_DECIMAL128_PRECISION;

  private DecimalUtil() {}

  /** Bytes of a decimal cell of this precision. */
  public static int precisionToSize(int precision) {
    return precisionToDataType(precision).width();
  }

  /** The type of a decimal of this precision on the wire. */
  public static DataType precisionToDataType(int precision) {
    return Type.DECIMAL.getDataType(typeAttributes(precision, 0));
  }

  /** The largest value of this precision and scale. */
  public static BigDecimal maxValue(int precision, int scale) {
    return new BigDecimal(BigInteger.TEN.pow(precision).subtract(BigInteger.ONE), scale);
  }

  /** The lowest value of this precision and scale. */
  public static BigDecimal minValue(int precision, int scale) {
    return maxValue(precision, scale).negate();
  }

  /** The smallest positive value of this scale, which is the step between values. */
  public static BigDecimal smallestValue(int scale) {
    return new BigDecimal(BigInteger.ONE, scale);
  }

  /**
   * The value with the target scale.
   *
   * @throws IllegalArgumentException if {@code value} would have to be rounded, or would have more
   *     digits than the target precision
   */
  public static BigDecimal coerce(BigDecimal value, int targetPrecision, int targetScale) {
    BigDecimal scaled;
    try {
      scaled = value.setScale(targetScale, RoundingMode.UNNECESSARY);
    } catch (ArithmeticException e) {
      throw new IllegalArgumentException(
          "Value scale "
              + value.scale()
              + " can't be coerced to target scale "
              + targetScale
              + "; round the value first",
          e);
    }
    if (scaled.precision() > targetPrecision) {
      throw new IllegalArgumentException(
          "Value precision "
              + scaled.precision()
              + " (after scale coercion) can't be coerced to target precision "
              + targetPrecision);
    }
    return scaled;
  }

  /** The type attributes of a DECIMAL column. */
  public static ColumnTypeAttributes typeAttributes(int precision, int scale) {
    return new ColumnTypeAttributes.ColumnTypeAttributesBuilder()
        .precision(precision)
        .scale(scale)
        .build();
  }
}
