package dev.kudu4j.tablet.maintenance.policy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Maps rowsets to intervals of [0, 1]: each key maps to the share of the data below it.
 *
 * <pre>
 *   A  |----------|                        lower(B) = share of the bytes below B's smallest key
 *   B        |------------|                width(B) = upper(B) - lower(B)
 *   C                         |---|        average height = sum of widths
 * </pre>
 *
 * <p>The average height is the number of rowsets whose interval covers a key, averaged over the
 * data: the number of rowsets that a lookup of a random row visits. Each rowset's bytes are
 * distributed evenly over its interval, by the first six bytes in which keys differ. Keys that
 * agree in these six bytes are separated by the next six bytes, and so on. A rowset with a single
 * key is a point with the rowset's weight. Immutable.
 */
public final class KeySpace {
  private static final int DIGIT_BYTES = 6; // a double represents 48 bits exactly

  private final double[] lower;
  private final double[] upper;

  private KeySpace(double[] lower, double[] upper) {
    this.lower = lower;
    this.upper = upper;
  }

  public static KeySpace of(List<RowSetShape> rowSets) {
    return new Measure(rowSets).measure();
  }

  /** The average number of rowsets that cover a row's key; 0 without rowsets. */
  public static double averageHeight(List<RowSetShape> rowSets) {
    return of(rowSets).averageHeight();
  }

  public double averageHeight() {
    double height = 0;
    for (int i = 0; i < lower.length; i++) {
      height += width(i);
    }
    return height;
  }

  public double lower(int rowSet) {
    return lower[rowSet];
  }

  public double upper(int rowSet) {
    return upper[rowSet];
  }

  public double width(int rowSet) {
    return upper[rowSet] - lower[rowSet];
  }

  /**
   * Distributes the weights of rowsets to the gaps between adjacent borders. Borders are sorted by
   * key; at equal keys, the smallest keys of rowsets precede the largest keys. A rowset with a
   * single key puts its weight between its two borders.
   */
  private static final class Measure {
    private final List<RowSetShape> rowSets;
    private final byte[][] keys; // of the borders, sorted
    private final boolean[] isMax;
    private final int[] rowSetOf;
    private final int[] minAt; // by rowset: the positions of its borders
    private final int[] maxAt;
    private final double[] weightBehind; // between a border and the next
    private final double[] digit; // by border: six bytes of its key, at the current level

    Measure(List<RowSetShape> rowSets) {
      this.rowSets = rowSets;
      int borders = 2 * rowSets.size();
      this.keys = new byte[borders][];
      this.isMax = new boolean[borders];
      this.rowSetOf = new int[borders];
      this.minAt = new int[rowSets.size()];
      this.maxAt = new int[rowSets.size()];
      this.weightBehind = new double[borders];
      this.digit = new double[borders];
    }

    KeySpace measure() {
      sortBorders();
      List<Integer> all = new ArrayList<>(rowSets.size());
      for (int i = 0; i < rowSets.size(); i++) {
        all.add(i);
      }
      if (!all.isEmpty()) {
        spread(0, keys.length, all);
      }
      return accumulate();
    }

    private void sortBorders() {
      Integer[] borders = new Integer[keys.length]; // 2 * rowset, + 1 for its largest key
      Arrays.setAll(borders, i -> i);
      Arrays.sort(
          borders,
          (a, b) -> {
            int byKey = Arrays.compareUnsigned(key(a), key(b));
            return byKey != 0 ? byKey : Integer.compare(a & 1, b & 1);
          });
      for (int at = 0; at < borders.length; at++) {
        int border = borders[at];
        keys[at] = key(border);
        isMax[at] = (border & 1) != 0;
        rowSetOf[at] = border >>> 1;
        (isMax[at] ? maxAt : minAt)[border >>> 1] = at;
      }
    }

    private byte[] key(int border) {
      RowSetShape rowSet = rowSets.get(border >>> 1);
      return (border & 1) == 0 ? rowSet.minKey() : rowSet.maxKey();
    }

    /** Distributes the weights of rowsets whose borders are all in {@code [from, to)}. */
    private void spread(int from, int to, List<Integer> inside) {
      if (Arrays.equals(keys[from], keys[to - 1])) {
        spreadPoint(from, inside);
        return;
      }
      readDigits(from, to);
      List<Integer> wide = new ArrayList<>();
      List<Integer> narrow = new ArrayList<>();
      for (int rowSet : inside) {
        (digit[minAt[rowSet]] < digit[maxAt[rowSet]] ? wide : narrow).add(rowSet);
      }
      spreadWide(from, to, wide);
      spreadNarrow(narrow);
    }

    private void spreadPoint(int from, List<Integer> inside) {
      int lastMin = from;
      while (!isMax[lastMin + 1]) {
        lastMin++;
      }
      for (int rowSet : inside) {
        weightBehind[lastMin] += weight(rowSet);
      }
    }

    private double weight(int rowSet) {
      return rowSets.get(rowSet).bytes();
    }

    private void readDigits(int from, int to) {
      int prefix = Arrays.mismatch(keys[from], keys[to - 1]); // the keys are sorted and differ
      for (int at = from; at < to; at++) {
        digit[at] = digit(keys[at], prefix);
      }
      if (digit[from] == digit[to - 1]) { // all keys differ only in trailing zeros
        for (int at = from + 1; at < to; at++) {
          digit[at] = digit[at - 1] + (Arrays.equals(keys[at - 1], keys[at]) ? 0 : 1);
        }
      }
    }

    private static double digit(byte[] key, int from) {
      long value = 0;
      for (int i = from; i < from + DIGIT_BYTES; i++) {
        value = value << 8 | (i < key.length ? key[i] & 0xff : 0);
      }
      return value;
    }

    private void spreadWide(int from, int to, List<Integer> wide) {
      boolean[] isWide = new boolean[to - from];
      for (int rowSet : wide) {
        isWide[minAt[rowSet] - from] = true;
        isWide[maxAt[rowSet] - from] = true;
      }
      double density = 0;
      int covering = 0;
      for (int at = from; at < to - 1; at++) {
        if (isWide[at - from]) {
          int rowSet = rowSetOf[at];
          double change = weight(rowSet) / (digit[maxAt[rowSet]] - digit[minAt[rowSet]]);
          covering += isMax[at] ? -1 : 1;
          density = covering == 0 ? 0 : density + (isMax[at] ? -change : change);
        }
        weightBehind[at] += Math.max(0, density) * (digit[at + 1] - digit[at]);
      }
    }

    /**
     * Groups rowsets by the digit that their smallest and largest keys share, and distributes each
     * group by the next digit.
     */
    private void spreadNarrow(List<Integer> narrow) {
      narrow.sort((a, b) -> Integer.compare(minAt[a], minAt[b]));
      // The next level overwrites the digits, so find the groups first.
      List<List<Integer>> groups = new ArrayList<>();
      double last = -1;
      for (int rowSet : narrow) {
        double now = digit[minAt[rowSet]];
        if (groups.isEmpty() || now != last) {
          groups.add(new ArrayList<>());
        }
        groups.get(groups.size() - 1).add(rowSet);
        last = now;
      }
      for (List<Integer> group : groups) {
        int from = Integer.MAX_VALUE;
        int to = 0;
        for (int rowSet : group) {
          from = Math.min(from, minAt[rowSet]);
          to = Math.max(to, maxAt[rowSet] + 1);
        }
        spread(from, to, group);
      }
    }

    private KeySpace accumulate() {
      double total = Arrays.stream(weightBehind).sum();
      double[] lower = new double[rowSets.size()];
      double[] upper = new double[rowSets.size()];
      double below = 0;
      for (int at = 0; at < keys.length; at++) {
        (isMax[at] ? upper : lower)[rowSetOf[at]] = Math.min(1, below / total);
        below += weightBehind[at];
      }
      return new KeySpace(lower, upper);
    }
  }
}
