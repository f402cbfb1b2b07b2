package dev.kudu4j.tablet.scan.expression;

import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.tablet.batch.NumberVector;
import dev.kudu4j.tablet.batch.NumberVector.Kind;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** A constant. */
final class LiteralNode extends NumberNode {
  private final BigDecimal value;
  private final long unscaled;
  private @Nullable Kind filled;

  /**
   * An exact constant of the given scale, which must be large enough to represent the value.
   *
   * @throws KuduException NOT_SUPPORTED if it does not fit into 64 bits
   */
  static LiteralNode exact(BigDecimal value, int scale) {
    BigInteger unscaled = value.setScale(scale).unscaledValue();
    if (unscaled.bitLength() >= Long.SIZE) {
      throw KuduException.notSupported(
          "The number %s with %d decimal digits does not fit into 64 bits; compute it in the client",
          value, scale);
    }
    return new LiteralNode(value, false, scale, unscaled.longValue());
  }

  static LiteralNode floating(BigDecimal value) {
    return new LiteralNode(value, true, 0, 0);
  }

  private LiteralNode(BigDecimal value, boolean floating, int scale, long unscaled) {
    super(floating, scale);
    this.value = value;
    this.unscaled = unscaled;
  }

  double floating() {
    return value.doubleValue();
  }

  BigDecimal value() {
    return value;
  }

  /** Fills the vector once. If a caller widens the numbers to longs, they stay longs. */
  @Override
  void compute(RowChunk chunk, NumberVector out) {
    if (filled == null) {
      boolean fitsInt = unscaled == (int) unscaled;
      filled = isFloating() ? Kind.DOUBLES : fitsInt ? Kind.INTS : Kind.LONGS;
      out.clear(filled);
      switch (filled) {
        case INTS -> Arrays.fill(out.ints(), (int) unscaled);
        case LONGS -> Arrays.fill(out.longs(), unscaled);
        case DOUBLES -> Arrays.fill(out.doubles(), floating());
      }
      out.cover(unscaled, unscaled);
      out.advance(RowChunk.MAX_ROWS);
    }
  }
}
