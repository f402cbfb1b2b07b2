package dev.kudu4j.tablet.scan.expression;

import dev.kudu4j.tablet.batch.NumberVector;
import java.io.IOException;

/**
 * A node of a compiled expression. It is computed once per chunk, no matter how many aggregates use
 * it.
 */
public abstract class NumberNode {
  private final boolean floating;
  private final int scale;
  private final NumberVector result = new NumberVector(RowChunk.MAX_ROWS);
  private long serial = -1;

  /**
   * @param scale decimal digits of the unscaled values; 0 for a double
   */
  NumberNode(boolean floating, int scale) {
    this.floating = floating;
    this.scale = scale;
  }

  public final boolean isFloating() {
    return floating;
  }

  /** Decimal digits of the unscaled values; 0 for a double. */
  public final int scale() {
    return scale;
  }

  /** The numbers of the chunk, one per computed row; valid until the next chunk. */
  public final NumberVector evaluate(RowChunk chunk) throws IOException {
    if (serial != chunk.serial()) {
      compute(chunk, result);
      serial = chunk.serial();
    }
    return result;
  }

  /** Fills the vector with one number per computed row of the chunk. */
  abstract void compute(RowChunk chunk, NumberVector out) throws IOException;
}
