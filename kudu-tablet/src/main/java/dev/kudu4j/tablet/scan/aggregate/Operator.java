package dev.kudu4j.tablet.scan.aggregate;

/** What an expression does with two numbers. */
enum Operator {
  ADD,
  SUBTRACT,
  MULTIPLY;

  /** Exact, or an ArithmeticException. */
  long apply(long left, long right) {
    return switch (this) {
      case ADD -> Math.addExact(left, right);
      case SUBTRACT -> Math.subtractExact(left, right);
      case MULTIPLY -> Math.multiplyExact(left, right);
    };
  }
}
