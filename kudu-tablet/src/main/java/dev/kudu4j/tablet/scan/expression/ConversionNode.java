package dev.kudu4j.tablet.scan.expression;

import dev.kudu4j.tablet.batch.NumberVector;
import dev.kudu4j.tablet.batch.NumberVector.Kind;
import java.io.IOException;

/** Converts an exact number to a double, for an operation with another double. */
final class ConversionNode extends NumberNode {
  private final NumberNode exact;
  private final double divisor;

  ConversionNode(NumberNode exact) {
    super(true, 0);
    this.exact = exact;
    this.divisor = Math.pow(10, exact.scale());
  }

  @Override
  void compute(RowChunk chunk, NumberVector out) throws IOException {
    NumberVector numbers = exact.evaluate(chunk);
    out.clear(Kind.DOUBLES);
    double[] to = out.doubles();
    for (int i = 0; i < chunk.count(); i++) {
      to[i] = numbers.number(i) / divisor;
    }
    out.advance(chunk.count());
    if (numbers.hasNulls()) {
      out.uniteNulls(numbers, numbers);
    }
  }
}
