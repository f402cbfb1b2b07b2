package dev.kudu4j.tablet.scan.predicate;

/**
 * The loops of {@link NumberComparisonNode}. Each sets bit i%64 of word i/64 if the relation holds
 * between the numbers i of two arrays, and clears all other bits of the words that it writes. The
 * inner loops have no branches.
 */
final class NumberComparisons {
  private NumberComparisons() {}

  static void equal(int[] a, int[] b, int count, long[] out) {
    for (int from = 0; from < count; from += 64) {
      long word = 0;
      for (int i = from; i < Math.min(from + 64, count); i++) {
        word |= (a[i] == b[i] ? 1L : 0L) << i;
      }
      out[from >>> 6] = word;
    }
  }

  static void less(int[] a, int[] b, int count, long[] out) {
    for (int from = 0; from < count; from += 64) {
      long word = 0;
      for (int i = from; i < Math.min(from + 64, count); i++) {
        word |= (a[i] < b[i] ? 1L : 0L) << i;
      }
      out[from >>> 6] = word;
    }
  }

  static void lessOrEqual(int[] a, int[] b, int count, long[] out) {
    for (int from = 0; from < count; from += 64) {
      long word = 0;
      for (int i = from; i < Math.min(from + 64, count); i++) {
        word |= (a[i] <= b[i] ? 1L : 0L) << i;
      }
      out[from >>> 6] = word;
    }
  }

  static void equal(long[] a, long[] b, int count, long[] out) {
    for (int from = 0; from < count; from += 64) {
      long word = 0;
      for (int i = from; i < Math.min(from + 64, count); i++) {
        word |= (a[i] == b[i] ? 1L : 0L) << i;
      }
      out[from >>> 6] = word;
    }
  }

  static void less(long[] a, long[] b, int count, long[] out) {
    for (int from = 0; from < count; from += 64) {
      long word = 0;
      for (int i = from; i < Math.min(from + 64, count); i++) {
        word |= (a[i] < b[i] ? 1L : 0L) << i;
      }
      out[from >>> 6] = word;
    }
  }

  static void lessOrEqual(long[] a, long[] b, int count, long[] out) {
    for (int from = 0; from < count; from += 64) {
      long word = 0;
      for (int i = from; i < Math.min(from + 64, count); i++) {
        word |= (a[i] <= b[i] ? 1L : 0L) << i;
      }
      out[from >>> 6] = word;
    }
  }

  static void equal(double[] a, double[] b, int count, long[] out) {
    for (int from = 0; from < count; from += 64) {
      long word = 0;
      for (int i = from; i < Math.min(from + 64, count); i++) {
        word |= (a[i] == b[i] ? 1L : 0L) << i;
      }
      out[from >>> 6] = word;
    }
  }

  static void less(double[] a, double[] b, int count, long[] out) {
    for (int from = 0; from < count; from += 64) {
      long word = 0;
      for (int i = from; i < Math.min(from + 64, count); i++) {
        word |= (a[i] < b[i] ? 1L : 0L) << i;
      }
      out[from >>> 6] = word;
    }
  }

  static void lessOrEqual(double[] a, double[] b, int count, long[] out) {
    for (int from = 0; from < count; from += 64) {
      long word = 0;
      for (int i = from; i < Math.min(from + 64, count); i++) {
        word |= (a[i] <= b[i] ? 1L : 0L) << i;
      }
      out[from >>> 6] = word;
    }
  }
}
