package dev.kudu4j.tablet.scan.expression;

import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.tablet.batch.NumberVector;
import dev.kudu4j.tablet.batch.NumberVector.Kind;
import java.io.IOException;

/**
 * The sum, difference or product of two numbers.
 *
 * <p>Exact operands are unscaled integers of the same scale (of any scale for products). The
 * operands' bounds determine the result's bounds: results stay ints where possible, and overflow is
 * always detected.
 */
final class BinaryNode extends NumberNode {
  private final Operator operator;
  private final NumberNode left;
  private final NumberNode right;

  BinaryNode(Operator operator, NumberNode left, NumberNode right) {
    super(
        left.isFloating(),
        left.isFloating()
            ? 0
            : operator == Operator.MULTIPLY ? left.scale() + right.scale() : left.scale());
    assert left.isFloating() == right.isFloating();
    assert operator == Operator.MULTIPLY || left.scale() == right.scale();
    this.operator = operator;
    this.left = left;
    this.right = right;
  }

  @Override
  void compute(RowChunk chunk, NumberVector out) throws IOException {
    NumberVector a = left.evaluate(chunk);
    NumberVector b = right.evaluate(chunk);
    int count = chunk.count();
    if (isFloating()) {
      out.clear(Kind.DOUBLES);
      computeDoubles(a, b, out.doubles(), count);
    } else {
      computeExact(a, b, out, count);
    }
    out.advance(count);
    if (a.hasNulls() || b.hasNulls()) {
      out.uniteNulls(a, b);
    }
  }

  private void computeDoubles(NumberVector a, NumberVector b, double[] out, int count) {
    if (right instanceof LiteralNode literal) {
      double value = literal.floating();
      switch (operator) {
        case ADD -> Arithmetic.add(a.doubles(), value, out, count);
        case SUBTRACT -> Arithmetic.add(a.doubles(), -value, out, count);
        case MULTIPLY -> Arithmetic.multiply(a.doubles(), value, out, count);
      }
    } else if (left instanceof LiteralNode literal) {
      double value = literal.floating();
      switch (operator) {
        case ADD -> Arithmetic.add(b.doubles(), value, out, count);
        case SUBTRACT -> Arithmetic.subtractFrom(value, b.doubles(), out, count);
        case MULTIPLY -> Arithmetic.multiply(b.doubles(), value, out, count);
      }
    } else {
      switch (operator) {
        case ADD -> Arithmetic.add(a.doubles(), b.doubles(), out, count);
        case SUBTRACT -> Arithmetic.subtract(a.doubles(), b.doubles(), out, count);
        case MULTIPLY -> Arithmetic.multiply(a.doubles(), b.doubles(), out, count);
      }
    }
  }

  private void computeExact(NumberVector a, NumberVector b, NumberVector out, int count) {
    bound(a, b, out);
    boolean ints =
        a.kind() == Kind.INTS
            && b.kind() == Kind.INTS
            && out.low() >= Integer.MIN_VALUE
            && out.high() <= Integer.MAX_VALUE;
    if (ints) {
      computeInts(a.ints(), b.ints(), out.ints(), count);
      return;
    }
    long low = out.low();
    long high = out.high();
    out.clear(Kind.LONGS);
    out.cover(low, high);
    if (operator == Operator.MULTIPLY) {
      multiply(a, b, out.longs(), count);
      return;
    }
    a.widen();
    b.widen();
    if (operator == Operator.ADD) {
      Arithmetic.add(a.longs(), b.longs(), out.longs(), count);
    } else {
      Arithmetic.subtract(a.longs(), b.longs(), out.longs(), count);
    }
  }

  private void computeInts(int[] a, int[] b, int[] out, int count) {
    switch (operator) {
      case ADD -> Arithmetic.add(a, b, out, count);
      case SUBTRACT -> Arithmetic.subtract(a, b, out, count);
      case MULTIPLY -> Arithmetic.multiply(a, b, out, count);
    }
  }

  private static void multiply(NumberVector a, NumberVector b, long[] out, int count) {
    boolean intsLeft = a.kind() == Kind.INTS;
    boolean intsRight = b.kind() == Kind.INTS;
    if (intsLeft && intsRight) {
      Arithmetic.multiply(a.ints(), b.ints(), out, count);
    } else if (intsRight) {
      Arithmetic.multiply(a.longs(), b.ints(), out, count);
    } else if (intsLeft) {
      Arithmetic.multiply(b.longs(), a.ints(), out, count);
    } else {
      Arithmetic.multiply(a.longs(), b.longs(), out, count);
    }
  }

  /** Derives the bounds of the result from the bounds of the operands. */
  private void bound(NumberVector a, NumberVector b, NumberVector out) {
    out.clear(Kind.INTS);
    try {
      for (long x : new long[] {a.low(), a.high()}) {
        long min = operator.apply(x, b.low());
        long max = operator.apply(x, b.high());
        out.cover(Math.min(min, max), Math.max(min, max));
      }
    } catch (ArithmeticException e) {
      throw KuduException.notSupported(
          "%s of numbers from %d to %d and from %d to %d does not fit into 64 bits; compute it in"
              + " the client",
          operator, a.low(), a.high(), b.low(), b.high());
    }
  }
}
