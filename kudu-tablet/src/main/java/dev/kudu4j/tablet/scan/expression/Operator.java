package dev.kudu4j.tablet.scan.expression;

/** A binary arithmetic operator. */
enum Operator {
  ADD,
  SUBTRACT,
  MULTIPLY;

  /** The exact result; throws ArithmeticException on overflow. */
  long apply(long left, long right) {
    return switch (this) {
      case ADD -> Math.addExact(left, right);
      case SUBTRACT -> Math.subtractExact(left, right);
      case MULTIPLY -> Math.multiplyExact(left, right);
    };
  }
}
