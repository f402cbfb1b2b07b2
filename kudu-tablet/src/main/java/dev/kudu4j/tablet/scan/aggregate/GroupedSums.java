package dev.kudu4j.tablet.scan.aggregate;

/**
 * Adds numbers up by cell. Several columns in one loop, since the cells are read once; and rows
 * with even and odd places apart, since two neighbours are often of one cell, and the second would
 * wait for the first.
 */
final class GroupedSums {
  private GroupedSums() {}

  /** Numbers added in one loop. */
  static final int MOST_COLUMNS = 3;

  /**
   * @param odd added to the cell of rows with odd places
   */
  static void count(int[] cells, int rows, int odd, long[] sums) {
    int i = 0;
    for (; i + 1 < rows; i += 2) {
      sums[cells[i]]++;
      sums[cells[i + 1] + odd]++;
    }
    if (i < rows) {
      sums[cells[i]]++;
    }
  }

  /**
   * @param extra added with each number of the first column: a count in bits that no sum reaches
   */
  static void add(int[] cells, int rows, int odd, long extra, int[] a, long[] aSums) {
    int i = 0;
    for (; i + 1 < rows; i += 2) {
      int even = cells[i];
      int next = cells[i + 1] + odd;
      aSums[even] += a[i] + extra;
      aSums[next] += a[i + 1] + extra;
    }
    if (i < rows) {
      int last = cells[i];
      aSums[last] += a[i] + extra;
    }
  }

  static void add(
      int[] cells, int rows, int odd, long extra, int[] a, long[] aSums, int[] b, long[] bSums) {
    int i = 0;
    for (; i + 1 < rows; i += 2) {
      int even = cells[i];
      int next = cells[i + 1] + odd;
      aSums[even] += a[i] + extra;
      aSums[next] += a[i + 1] + extra;
      bSums[even] += b[i];
      bSums[next] += b[i + 1];
    }
    if (i < rows) {
      int last = cells[i];
      aSums[last] += a[i] + extra;
      bSums[last] += b[i];
    }
  }

  static void add(
      int[] cells,
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
      int even = cells[i];
      int next = cells[i + 1] + odd;
      aSums[even] += a[i] + extra;
      aSums[next] += a[i + 1] + extra;
      bSums[even] += b[i];
      bSums[next] += b[i + 1];
      cSums[even] += c[i];
      cSums[next] += c[i + 1];
    }
    if (i < rows) {
      int last = cells[i];
      aSums[last] += a[i] + extra;
      bSums[last] += b[i];
      cSums[last] += c[i];
    }
  }

  static void add(int[] cells, int rows, int odd, long[] a, long[] aSums) {
    int i = 0;
    for (; i + 1 < rows; i += 2) {
      int even = cells[i];
      int next = cells[i + 1] + odd;
      aSums[even] += a[i];
      aSums[next] += a[i + 1];
    }
    if (i < rows) {
      int last = cells[i];
      aSums[last] += a[i];
    }
  }

  static void add(int[] cells, int rows, int odd, long[] a, long[] aSums, long[] b, long[] bSums) {
    int i = 0;
    for (; i + 1 < rows; i += 2) {
      int even = cells[i];
      int next = cells[i + 1] + odd;
      aSums[even] += a[i];
      aSums[next] += a[i + 1];
      bSums[even] += b[i];
      bSums[next] += b[i + 1];
    }
    if (i < rows) {
      int last = cells[i];
      aSums[last] += a[i];
      bSums[last] += b[i];
    }
  }

  static void add(
      int[] cells,
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
      int even = cells[i];
      int next = cells[i + 1] + odd;
      aSums[even] += a[i];
      aSums[next] += a[i + 1];
      bSums[even] += b[i];
      bSums[next] += b[i + 1];
      cSums[even] += c[i];
      cSums[next] += c[i + 1];
    }
    if (i < rows) {
      int last = cells[i];
      aSums[last] += a[i];
      bSums[last] += b[i];
      cSums[last] += c[i];
    }
  }

  static void add(int[] cells, int rows, int odd, double[] a, double[] aSums) {
    int i = 0;
    for (; i + 1 < rows; i += 2) {
      int even = cells[i];
      int next = cells[i + 1] + odd;
      aSums[even] += a[i];
      aSums[next] += a[i + 1];
    }
    if (i < rows) {
      int last = cells[i];
      aSums[last] += a[i];
    }
  }

  static void add(
      int[] cells, int rows, int odd, double[] a, double[] aSums, double[] b, double[] bSums) {
    int i = 0;
    for (; i + 1 < rows; i += 2) {
      int even = cells[i];
      int next = cells[i + 1] + odd;
      aSums[even] += a[i];
      aSums[next] += a[i + 1];
      bSums[even] += b[i];
      bSums[next] += b[i + 1];
    }
    if (i < rows) {
      int last = cells[i];
      aSums[last] += a[i];
      bSums[last] += b[i];
    }
  }

  static void add(
      int[] cells,
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
      int even = cells[i];
      int next = cells[i + 1] + odd;
      aSums[even] += a[i];
      aSums[next] += a[i + 1];
      bSums[even] += b[i];
      bSums[next] += b[i + 1];
      cSums[even] += c[i];
      cSums[next] += c[i + 1];
    }
    if (i < rows) {
      int last = cells[i];
      aSums[last] += a[i];
      bSums[last] += b[i];
      cSums[last] += c[i];
    }
  }
}
