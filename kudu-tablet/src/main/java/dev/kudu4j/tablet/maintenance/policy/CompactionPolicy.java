package dev.kudu4j.tablet.maintenance.policy;

import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Chooses the rowsets whose merge lowers the average height most within a budget: the knapsack of
 * the Kudu paper.
 *
 * <p>Merging a set replaces the widths of its rowsets with the width of the span that they cover.
 * For a span {@code [a, b]}, each rowset inside is an item with its width as value and its bytes as
 * cost, and the span's length is the fixed cost of the knapsack. The gain has three more terms.
 * They are measured in full-size rowsets and divided by {@code units}, the size of the tablet in
 * full-size rowsets:
 *
 * <pre>
 *   gain = sum of widths - span
 *        + (0.05 * (lacks before - lacks after) + ancient bytes - 0.2 * bytes) / units
 * </pre>
 *
 * <p>where a "lack" is the difference between full size and the size of a smaller rowset. A merge
 * of small neighbours pays off if it removes four rowsets per full-size rowset read. A rewrite that
 * drops deleted rows pays off if these rows are a fifth of the rowset. A merge of overlapping
 * rowsets pays off if the height, averaged over the data read, falls by 0.2. The cost of reading
 * makes the policy terminate: the sum of widths, lacks and ancient bytes decreases with every
 * choice, by more than rounding errors.
 *
 * <p>Distance from the optimum: for each span, the rowsets are chosen greedily by value per byte,
 * so the value of the choice is within one rowset's value of the optimum. All left borders are
 * tried. If there are more than 128 left borders, they are rounded down to a grid of 128, which
 * lowers the gain by at most 1/128. Time: O(n log n) per left border.
 */
public final class CompactionPolicy {
  private static final double LACK_WEIGHT = 0.05;
  private static final double ANCIENT_WEIGHT = 1.0;
  private static final double COST_WEIGHT = 0.2;
  private static final double MIN_GAIN = 1e-6;
  private static final double ROUNDING = 1e-9;
  private static final int GRID = 128;

  private final KeySpace space;
  private final long budgetBytes;
  private final double targetBytes;
  private final double units;
  private final int count;
  private final double[] value;
  private final long[] cost;
  private final double[] density;
  private final double[] keptSize; // the part of a rowset that a merge keeps, in target sizes

  /**
   * Indexes of the rowsets that have a positive value and fit the budget, sorted by largest key:
   * the order in which a span grows.
   */
  private final int[] byUpper;

  // The knapsack of the current span: a heap with the least dense item on top.
  private final int[] heap;
  private int heapSize;
  private double heapValue;
  private double heapKeptSize;
  private double heapWidth;
  private double heapLower; // the lowest of all items added since clear(), even if removed
  private long heapCost;

  private CompactionPolicy(List<RowSetShape> rowSets, long budgetBytes, long targetBytes) {
    this.space = KeySpace.of(rowSets);
    this.budgetBytes = budgetBytes;
    this.targetBytes = targetBytes;
    this.count = rowSets.size();
    double total = 0;
    for (RowSetShape rowSet : rowSets) {
      total += rowSet.bytes();
    }
    this.units = Math.max(1, total / targetBytes);
    this.value = new double[count];
    this.cost = new long[count];
    this.density = new double[count];
    this.keptSize = new double[count];
    for (int i = 0; i < count; i++) {
      computeItem(i, rowSets.get(i));
    }
    this.byUpper =
        IntStream.range(0, count)
            .filter(i -> value[i] > 0 && cost[i] <= budgetBytes)
            .boxed()
            .sorted((a, b) -> Double.compare(space.upper(a), space.upper(b)))
            .mapToInt(Integer::intValue)
            .toArray();
    this.heap = new int[byUpper.length + 1];
  }

  private void computeItem(int i, RowSetShape rowSet) {
    double size = rowSet.bytes() / targetBytes;
    double ancient = size * rowSet.ancientShare();
    double lack = Math.max(0, 1 - size);
    cost[i] = rowSet.bytes();
    keptSize[i] = size - ancient;
    value[i] =
        space.width(i)
            + (LACK_WEIGHT * lack + ANCIENT_WEIGHT * ancient - COST_WEIGHT * size) / units;
    density[i] = value[i] / cost[i];
  }

  /**
   * The best choice; empty if no merge is worthwhile.
   *
   * @param rowSets all rowsets of a tablet
   * @param budgetBytes the maximum number of bytes that a merge reads
   * @param targetBytes the size in bytes at which a merge starts the next output rowset
   */
  public static CompactionChoice choose(
      List<RowSetShape> rowSets, long budgetBytes, long targetBytes) {
    return new CompactionPolicy(rowSets, budgetBytes, targetBytes).choose();
  }

  private CompactionChoice choose() {
    if (byUpper.length == 0) {
      return CompactionChoice.NONE;
    }
    double bestGain = MIN_GAIN;
    double bestLeft = 0;
    int bestEnd = 0;
    double max = maxValue();
    for (double left : leftBorders()) {
      clear();
      for (int end = 0; end < byUpper.length; end++) {
        int item = byUpper[end];
        if (space.lower(item) >= left) {
          add(item);
          double span = space.upper(item) - heapLower;
          if (span >= max - bestGain) {
            break; // no set in this span or a wider one has a higher gain
          }
          double gain = heapValue - span - lackAfter(heapKeptSize);
          if (gain > bestGain && heapWidth >= span - ROUNDING) {
            bestGain = gain;
            bestLeft = left;
            bestEnd = end + 1;
          }
        }
      }
    }
    return bestEnd == 0 ? CompactionChoice.NONE : choice(bestLeft, bestEnd);
  }

  /**
   * The weighted lack after a merge. Only the last output has a lack, because the merge starts a
   * new output at the target size.
   */
  private double lackAfter(double bytesOverTarget) {
    return LACK_WEIGHT * (Math.ceil(bytesOverTarget) - bytesOverTarget) / units;
  }

  /** An upper bound of the value of any set within the budget, ignoring its span. */
  private double maxValue() {
    int[] dense =
        Arrays.stream(byUpper)
            .boxed()
            .sorted((a, b) -> Double.compare(density[b], density[a]))
            .mapToInt(Integer::intValue)
            .toArray();
    double max = 0;
    long left = budgetBytes;
    for (int item : dense) {
      if (cost[item] >= left) {
        return max + density[item] * left;
      }
      max += value[item];
      left -= cost[item];
    }
    return max;
  }

  private double[] leftBorders() {
    double[] lefts = Arrays.stream(byUpper).mapToDouble(space::lower).sorted().distinct().toArray();
    if (lefts.length > GRID) {
      for (int i = 0; i < lefts.length; i++) {
        lefts[i] = Math.floor(lefts[i] * GRID) / GRID;
      }
      lefts = Arrays.stream(lefts).distinct().toArray();
    }
    return lefts;
  }

  // The knapsack.

  private void clear() {
    heapSize = 0;
    heapValue = 0;
    heapKeptSize = 0;
    heapWidth = 0;
    heapLower = 1;
    heapCost = 0;
  }

  /** Adds an item, then removes the items of lowest density until the cost is within the budget. */
  private void add(int item) {
    heapLower = Math.min(heapLower, space.lower(item));
    if (heapCost + cost[item] > budgetBytes && density[item] <= density[heap[0]]) {
      return;
    }
    heap[heapSize] = item;
    for (int i = heapSize++; i > 0 && isLess(i, (i - 1) >>> 1); i = (i - 1) >>> 1) {
      swap(i, (i - 1) >>> 1);
    }
    count(item, 1);
    while (heapCost > budgetBytes) {
      removeMin();
    }
  }

  private void removeMin() {
    count(heap[0], -1);
    heap[0] = heap[--heapSize];
    int parent = 0;
    while (2 * parent + 1 < heapSize) {
      int child = 2 * parent + 1;
      if (child + 1 < heapSize && isLess(child + 1, child)) {
        child++;
      }
      if (!isLess(child, parent)) {
        return;
      }
      swap(child, parent);
      parent = child;
    }
  }

  private void count(int item, int sign) {
    heapValue += sign * value[item];
    heapKeptSize += sign * keptSize[item];
    heapWidth += sign * space.width(item);
    heapCost += sign * cost[item];
  }

  private boolean isLess(int a, int b) {
    return density[heap[a]] < density[heap[b]];
  }

  private void swap(int a, int b) {
    int moved = heap[a];
    heap[a] = heap[b];
    heap[b] = moved;
  }

  // The choice.

  /** Rebuilds the knapsack of the best span, and adds other rowsets that fit into the budget. */
  private CompactionChoice choice(double left, int end) {
    clear();
    for (int i = 0; i < end; i++) {
      if (space.lower(byUpper[i]) >= left) {
        add(byUpper[i]);
      }
    }
    BitSet chosen = new BitSet(count);
    for (int i = 0; i < heapSize; i++) {
      chosen.set(heap[i]);
    }
    long bytes = heapCost;
    CompactionChoice best = valued(chosen, bytes);
    int[] others =
        Arrays.stream(byUpper, 0, end)
            .filter(i -> space.lower(i) >= left && !chosen.get(i))
            .boxed()
            .sorted((a, b) -> Double.compare(density[b], density[a]))
            .mapToInt(Integer::intValue)
            .toArray();
    for (int item : others) {
      if (bytes + cost[item] <= budgetBytes) {
        chosen.set(item);
        CompactionChoice with = valued(chosen, bytes + cost[item]);
        if (with.gain() > best.gain()) {
          best = with;
          bytes += cost[item];
        } else {
          chosen.clear(item);
        }
      }
    }
    return best.gain() > MIN_GAIN ? best : CompactionChoice.NONE;
  }

  private CompactionChoice valued(BitSet chosen, long bytes) {
    double values = 0;
    double widths = 0;
    double left = 0;
    double lower = 1;
    double upper = 0;
    for (int i = chosen.nextSetBit(0); i >= 0; i = chosen.nextSetBit(i + 1)) {
      values += value[i];
      widths += space.width(i);
      left += keptSize[i];
      lower = Math.min(lower, space.lower(i));
      upper = Math.max(upper, space.upper(i));
    }
    double span = upper - lower;
    double reduction = widths - span;
    // Small rowsets and deleted rows never justify more overlap.
    double gain = reduction < -ROUNDING ? -1 : values - span - lackAfter(left);
    return new CompactionChoice(
        chosen.stream().boxed().toList(), Math.max(0, reduction), gain, bytes);
  }
}
