package dev.kudu4j.tablet.scan.expression;

/**
 * The arithmetic loops of expressions. Loops run over arrays from index 0, so the JIT compiler
 * vectorizes the loops whose elements have equal width. The caller has checked the bounds of the
 * operands, so nothing overflows.
 */
final class Arithmetic {
  private Arithmetic() {}

  static void add(int[] a, int[] b, int[] out, int count) {
    for (int i = 0; i < count; i++) {
      out[i] = a[i] + b[i];
    }
  }

  static void subtract(int[] a, int[] b, int[] out, int count) {
    for (int i = 0; i < count; i++) {
      out[i] = a[i] - b[i];
    }
  }

  static void multiply(int[] a, int[] b, int[] out, int count) {
    for (int i = 0; i < count; i++) {
      out[i] = a[i] * b[i];
    }
  }

  static void add(long[] a, long[] b, long[] out, int count) {
    for (int i = 0; i < count; i++) {
      out[i] = a[i] + b[i];
    }
  }

  static void subtract(long[] a, long[] b, long[] out, int count) {
    for (int i = 0; i < count; i++) {
      out[i] = a[i] - b[i];
    }
  }

  static void multiply(long[] a, long[] b, long[] out, int count) {
    for (int i = 0; i < count; i++) {
      out[i] = a[i] * b[i];
    }
  }

  static void add(double[] a, double[] b, double[] out, int count) {
    for (int i = 0; i < count; i++) {
      out[i] = a[i] + b[i];
    }
  }

  static void subtract(double[] a, double[] b, double[] out, int count) {
    for (int i = 0; i < count; i++) {
      out[i] = a[i] - b[i];
    }
  }

  static void multiply(double[] a, double[] b, double[] out, int count) {
    for (int i = 0; i < count; i++) {
      out[i] = a[i] * b[i];
    }
  }

  static void multiply(int[] a, int[] b, long[] out, int count) {
    for (int i = 0; i < count; i++) {
      out[i] = (long) a[i] * b[i];
    }
  }

  static void multiply(long[] a, int[] b, long[] out, int count) {
    for (int i = 0; i < count; i++) {
      out[i] = a[i] * b[i];
    }
  }

  static void add(double[] a, double value, double[] out, int count) {
    for (int i = 0; i < count; i++) {
      out[i] = a[i] + value;
    }
  }

  static void subtractFrom(double value, double[] a, double[] out, int count) {
    for (int i = 0; i < count; i++) {
      out[i] = value - a[i];
    }
  }

  static void multiply(double[] a, double value, double[] out, int count) {
    for (int i = 0; i < count; i++) {
      out[i] = a[i] * value;
    }
  }
}
