package dev.kudu4j.tablet.scan.aggregate;

/**
 * Sums numbers by slot. One loop covers several columns, so slots are read once. Even and odd rows
 * use separate accumulators: neighbouring rows often have the same slot, and with a common
 * accumulator the second addition would wait for the first.
 */
final class GroupedSums {
  private GroupedSums() {}

  /** The maximum number of columns per loop. */
  static final int MAX_COLUMNS = 3;

  /**
   * @param odd the offset of the accumulators for odd rows
   */
  static void count(int[] slots, int rows, int odd, long[] sums) {
    int i = 0;
    for (; i + 1 < rows; i += 2) {
      sums[slots[i]]++;
      sums[slots[i + 1] + odd]++;
    }
    if (i < rows) {
      sums[slots[i]]++;
    }
  }

  /**
   * @param extra added together with each number of the first column; counts the rows in the bits
   *     above the sum
   */
  static void add(int[] slots, int rows, int odd, long extra, int[] a, long[] aSums) {
    int i = 0;
    for (; i + 1 < rows; i += 2) {
      int even = slots[i];
      int next = slots[i + 1] + odd;
      aSums[even] += a[i] + extra;
      aSums[next] += a[i + 1] + extra;
    }
    if (i < rows) {
      int last = slots[i];
      aSums[last] += a[i] + extra;
    }
  }

  static void add(
      int[] slots, int rows, int odd, long extra, int[] a, long[] aSums, int[] b, long[] bSums) {
    int i = 0;
    for (; i + 1 < rows; i += 2) {
      int even = slots[i];
      int next = slots[i + 1] + odd;
      aSums[even] += a[i] + extra;
      aSums[next] += a[i + 1] + extra;
      bSums[even] += b[i];
      bSums[next] += b[i + 1];
    }
    if (i < rows) {
      int last = slots[i];
      aSums[last] += a[i] + extra;
      bSums[last] += b[i];
    }
  }

  static void add(
      int[] slots,
      int rows,
      int odd,
      long extra,
      int[] a,
      long[] aSums,
      int[] b,
      long[] bSums,
      int[] c,
      long[] cSums) {
    int i = 0;
    for (; i + 1 < rows; i += 2) {
      int even = slots[i];
      int next = slots[i + 1] + odd;
      aSums[even] += a[i] + extra;
      aSums[next] += a[i + 1] + extra;
      bSums[even] += b[i];
      bSums[next] += b[i + 1];
      cSums[even] += c[i];
      cSums[next] += c[i + 1];
    }
    if (i < rows) {
      int last = slots[i];
      aSums[last] += a[i] + extra;
      bSums[last] += b[i];
      cSums[last] += c[i];
    }
  }

  static void add(int[] slots, int rows, int odd, long[] a, long[] aSums) {
    int i = 0;
    for (; i + 1 < rows; i += 2) {
      int even = slots[i];
      int next = slots[i + 1] + odd;
      aSums[even] += a[i];
      aSums[next] += a[i + 1];
    }
    if (i < rows) {
      int last = slots[i];
      aSums[last] += a[i];
    }
  }

  static void add(int[] slots, int rows, int odd, long[] a, long[] aSums, long[] b, long[] bSums) {
    int i = 0;
    for (; i + 1 < rows; i += 2) {
      int even = slots[i];
      int next = slots[i + 1] + odd;
      aSums[even] += a[i];
      aSums[next] += a[i + 1];
      bSums[even] += b[i];
      bSums[next] += b[i + 1];
    }
    if (i < rows) {
      int last = slots[i];
      aSums[last] += a[i];
      bSums[last] += b[i];
    }
  }

  static void add(
      int[] slots,
      int rows,
      int odd,
      long[] a,
      long[] aSums,
      long[] b,
      long[] bSums,
      long[] c,
      long[] cSums) {
    int i = 0;
    for (; i + 1 < rows; i += 2) {
      int even = slots[i];
      int next = slots[i + 1] + odd;
      aSums[even] += a[i];
      aSums[next] += a[i + 1];
      bSums[even] += b[i];
      bSums[next] += b[i + 1];
      cSums[even] += c[i];
      cSums[next] += c[i + 1];
    }
    if (i < rows) {
      int last = slots[i];
      aSums[last] += a[i];
      bSums[last] += b[i];
      cSums[last] += c[i];
    }
  }

  static void add(int[] slots, int rows, int odd, double[] a, double[] aSums) {
    int i = 0;
    for (; i + 1 < rows; i += 2) {
      int even = slots[i];
      int next = slots[i + 1] + odd;
      aSums[even] += a[i];
      aSums[next] += a[i + 1];
    }
    if (i < rows) {
      int last = slots[i];
      aSums[last] += a[i];
    }
  }

  static void add(
      int[] slots, int rows, int odd, double[] a, double[] aSums, double[] b, double[] bSums) {
    int i = 0;
    for (; i + 1 < rows; i += 2) {
      int even = slots[i];
      int next = slots[i + 1] + odd;
      aSums[even] += a[i];
      aSums[next] += a[i + 1];
      bSums[even] += b[i];
      bSums[next] += b[i + 1];
    }
    if (i < rows) {
      int last = slots[i];
      aSums[last] += a[i];
      bSums[last] += b[i];
    }
  }

  static void add(
      int[] slots,
      int rows,
      int odd,
      double[] a,
      double[] aSums,
      double[] b,
      double[] bSums,
      double[] c,
      double[] cSums) {
    int i = 0;
    for (; i + 1 < rows; i += 2) {
      int even = slots[i];
      int next = slots[i + 1] + odd;
      aSums[even] += a[i];
      aSums[next] += a[i + 1];
      bSums[even] += b[i];
      bSums[next] += b[i + 1];
      cSums[even] += c[i];
      cSums[next] += c[i + 1];
    }
    if (i < rows) {
      int last = slots[i];
      aSums[last] += a[i];
      bSums[last] += b[i];
      cSums[last] += c[i];
    }
  }
}
