package dev.kudu4j.tablet.scan.aggregate;

import dev.kudu4j.common.schema.DataType;
import dev.kudu4j.tablet.batch.NumberVector;
import dev.kudu4j.tablet.batch.NumberVector.Kind;
import dev.kudu4j.tablet.scan.expression.ColumnNode;
import dev.kudu4j.tablet.scan.expression.NumberNode;
import dev.kudu4j.tablet.scan.expression.PresenceNode;
import dev.kudu4j.tablet.scan.expression.RowChunk;
import dev.kudu4j.tablet.scan.source.ColumnSummary;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The row counts, sums, extremes and sketches of all groups, over the same rows: those of all
 * aggregates that have the same filter.
 *
 * <p>The numbers of a chunk are summed by slot, in loops over up to three expressions, and then the
 * sums of each slot are added to the slot's group. The row counts share the accumulators of the
 * first sum of ints: they use the bits above the sum.
 */
final class Accumulators {
  /**
   * The bit position of the count in a combined accumulator: the sum of 1024 ints needs 42 bits.
   */
  private static final int COUNT_SHIFT = 44;

  private static final long HALF_COUNT = 1L << (COUNT_SHIFT - 1);

  private final List<SumAccumulator> totals = new ArrayList<>();
  private final Map<NumberNode, SumAccumulator> totalOf = new HashMap<>();
  private final List<MinMaxAccumulator> extremes = new ArrayList<>();
  private final List<MinMaxCellAccumulator> cellExtremes = new ArrayList<>();
  private final List<SketchAccumulator> sketches = new ArrayList<>();
  private final SumAccumulator[] together = new SumAccumulator[GroupedSums.MAX_COLUMNS];
  private final int[] next = new int[1];
  private SumAccumulator[] plain = new SumAccumulator[0];
  private long[] counts = new long[1]; // by group
  private long[] chunkCounts = new long[4];

  // The chunk that is being added, and its slots.
  @SuppressWarnings("NullAway.Init") // read only while a chunk is added
  private RowChunk chunk;

  private int[] slots = {};
  private int oddOffset; // of the accumulators for rows with odd indexes; see GroupedSums

  /** The sum of the numbers of a node; the same for the same node. */
  SumAccumulator sum(NumberNode node) {
    return totalOf.computeIfAbsent(node, this::addTotal);
  }

  private SumAccumulator addTotal(NumberNode node) {
    SumAccumulator total = new SumAccumulator(node);
    totals.add(total);
    plain = new SumAccumulator[totals.size()];
    return total;
  }

  MinMaxAccumulator extreme(NumberNode node, boolean largest) {
    MinMaxAccumulator extreme = new MinMaxAccumulator(node, largest);
    extremes.add(extreme);
    return extreme;
  }

  MinMaxCellAccumulator extreme(int column, DataType type, boolean largest) {
    MinMaxCellAccumulator extreme = new MinMaxCellAccumulator(column, type, largest);
    cellExtremes.add(extreme);
    return extreme;
  }

  SketchAccumulator sketch(int column, DataType type) {
    SketchAccumulator sketch = new SketchAccumulator(column, type);
    sketches.add(sketch);
    return sketch;
  }

  /** Whether only rows are counted, so no number needs to be read. */
  boolean onlyCounts() {
    return totals.isEmpty() && hasOnlySums();
  }

  private boolean hasOnlySums() {
    return extremes.isEmpty() && cellExtremes.isEmpty() && sketches.isEmpty();
  }

  /** The only accumulator besides the row count; null if there is none or more than one. */
  @Nullable SumAccumulator onlySum() {
    return totals.size() == 1 && hasOnlySums() ? totals.get(0) : null;
  }

  /**
   * The columns of which {@link #addSummary} is enough, besides the number of rows; empty if only
   * rows are counted, null if the rows are needed.
   */
  int @Nullable [] summarizedColumns() {
    if (!sketches.isEmpty()) {
      return null;
    }
    Set<Integer> columns = new TreeSet<>();
    for (SumAccumulator total : totals) {
      if (!(total.node() instanceof PresenceNode presence)) {
        return null;
      }
      columns.add(presence.column());
    }
    for (MinMaxAccumulator extreme : extremes) {
      if (extreme.node().isFloating() || !(extreme.node() instanceof ColumnNode column)) {
        return null;
      }
      columns.add(column.column());
    }
    for (MinMaxCellAccumulator extreme : cellExtremes) {
      if (extreme.type().isVariableLength()) {
        return null;
      }
      columns.add(extreme.column());
    }
    return columns.stream().mapToInt(Integer::intValue).toArray();
  }

  /** Adds what is known of a column of some rows to a group. */
  void addSummary(int group, ColumnSummary summary) {
    for (SumAccumulator total : totals) {
      if (((PresenceNode) total.node()).column() == summary.column()) {
        total.addNulls(group, summary.nulls());
      }
    }
    byte[] least = summary.least();
    byte[] greatest = summary.greatest();
    if (least == null || greatest == null) {
      return;
    }
    for (MinMaxAccumulator extreme : extremes) {
      if (((ColumnNode) extreme.node()).column() == summary.column()) {
        extreme.add(group, summary.integer(extreme.isLargest()));
      }
    }
    for (MinMaxCellAccumulator extreme : cellExtremes) {
      if (extreme.column() == summary.column()) {
        extreme.add(group, extreme.isLargest() ? greatest : least);
      }
    }
  }

  /** The memory of the results of all groups. */
  long bytes() {
    long bytes = (long) Long.BYTES * counts.length;
    for (SumAccumulator total : totals) {
      bytes += total.bytes();
    }
    for (MinMaxAccumulator extreme : extremes) {
      bytes += extreme.bytes();
    }
    for (MinMaxCellAccumulator extreme : cellExtremes) {
      bytes += extreme.bytes();
    }
    for (SketchAccumulator sketch : sketches) {
      bytes += sketch.bytes();
    }
    return bytes;
  }

  /** The memory for a chunk: its numbers, and their sums by slot. */
  long chunkBytes() {
    long expressions = (long) totals.size() + extremes.size();
    long bytes = Long.BYTES * (expressions * RowChunk.MAX_ROWS + chunkCounts.length);
    for (SumAccumulator total : totals) {
      bytes += total.chunkBytes();
    }
    return bytes;
  }

  /** The number of rows of the group. */
  long count(int group) {
    return group < counts.length ? counts[group] : 0;
  }

  /** Adds rows without numbers to a group. */
  void addCount(int group, long rows) {
    reserveGroups(group + 1);
    counts[group] += rows;
  }

  /**
   * Adds the rows of a chunk.
   *
   * @param slotOf the slot of each row; {@link Groups#slotCount} for rows that are left out
   */
  void add(RowChunk rows, int[] slotOf, Groups groups) throws IOException {
    chunk = rows;
    slots = slotOf;
    oddOffset = groups.slotCount() + 1;
    int plainCount = 0;
    for (SumAccumulator total : totals) {
      NumberVector numbers = total.node().evaluate(chunk);
      if (SumAccumulator.isPlain(numbers)) {
        plain[plainCount++] = total;
      } else {
        total.addEach(numbers, slots, chunk, groups);
      }
    }
    boolean counted = addInts(plainCount);
    addLongs(plainCount);
    addDoubles(plainCount);
    if (!counted) {
      GroupedSums.count(slots, chunk.count(), oddOffset, chunkCounts(2 * oddOffset));
    }
    toGroups(plainCount, groups);
    for (MinMaxAccumulator extreme : extremes) {
      extreme.add(slots, chunk, groups);
    }
    for (MinMaxCellAccumulator extreme : cellExtremes) {
      extreme.add(slots, chunk, groups);
    }
    for (SketchAccumulator sketch : sketches) {
      sketch.add(slots, chunk, groups);
    }
  }

  /**
   * Collects in {@link #together} the next plain sums whose numbers have the given kind, starting
   * at index {@code next[0]}; returns their number.
   */
  private int gather(Kind kind, int plainCount) throws IOException {
    int count = 0;
    int i = next[0];
    for (; i < plainCount && count < together.length; i++) {
      if (plain[i].node().evaluate(chunk).kind() == kind) {
        together[count++] = plain[i];
      }
    }
    next[0] = i;
    return count;
  }

  private NumberVector numbers(int index) throws IOException {
    return together[index].node().evaluate(chunk);
  }

  private long[] exact(int index) {
    return together[index].chunkExact(2 * oddOffset);
  }

  private double[] floating(int index) {
    return together[index].chunkFloating(2 * oddOffset);
  }

  private boolean addInts(int plainCount) throws IOException {
    int rows = chunk.count();
    long extra = 1L << COUNT_SHIFT;
    next[0] = 0;
    for (int count = gather(Kind.INTS, plainCount);
        count > 0;
        count = gather(Kind.INTS, plainCount)) {
      int[] a = numbers(0).ints();
      switch (count) {
        case 1 -> GroupedSums.add(slots, rows, oddOffset, extra, a, exact(0));
        case 2 ->
            GroupedSums.add(
                slots, rows, oddOffset, extra, a, exact(0), numbers(1).ints(), exact(1));
        default ->
            GroupedSums.add(
                slots,
                rows,
                oddOffset,
                extra,
                a,
                exact(0),
                numbers(1).ints(),
                exact(1),
                numbers(2).ints(),
                exact(2));
      }
      if (extra != 0) {
        takeCounts(exact(0));
        extra = 0;
      }
    }
    return extra == 0;
  }

  /** Extracts the counts from the upper bits of the combined accumulators. */
  private void takeCounts(long[] sums) {
    int length = 2 * oddOffset;
    long[] counted = chunkCounts(length);
    for (int i = 0; i < length; i++) {
      counted[i] = (sums[i] + HALF_COUNT) >> COUNT_SHIFT;
      sums[i] -= counted[i] << COUNT_SHIFT;
    }
  }

  private long[] chunkCounts(int length) {
    if (chunkCounts.length < length) {
      chunkCounts = new long[2 * length];
    }
    return chunkCounts;
  }

  private void addLongs(int plainCount) throws IOException {
    int rows = chunk.count();
    next[0] = 0;
    for (int count = gather(Kind.LONGS, plainCount);
        count > 0;
        count = gather(Kind.LONGS, plainCount)) {
      long[] a = numbers(0).longs();
      switch (count) {
        case 1 -> GroupedSums.add(slots, rows, oddOffset, a, exact(0));
        case 2 ->
            GroupedSums.add(slots, rows, oddOffset, a, exact(0), numbers(1).longs(), exact(1));
        default ->
            GroupedSums.add(
                slots,
                rows,
                oddOffset,
                a,
                exact(0),
                numbers(1).longs(),
                exact(1),
                numbers(2).longs(),
                exact(2));
      }
    }
  }

  private void addDoubles(int plainCount) throws IOException {
    int rows = chunk.count();
    next[0] = 0;
    for (int count = gather(Kind.DOUBLES, plainCount);
        count > 0;
        count = gather(Kind.DOUBLES, plainCount)) {
      double[] a = numbers(0).doubles();
      switch (count) {
        case 1 -> GroupedSums.add(slots, rows, oddOffset, a, floating(0));
        case 2 ->
            GroupedSums.add(
                slots, rows, oddOffset, a, floating(0), numbers(1).doubles(), floating(1));
        default ->
            GroupedSums.add(
                slots,
                rows,
                oddOffset,
                a,
                floating(0),
                numbers(1).doubles(),
                floating(1),
                numbers(2).doubles(),
                floating(2));
      }
    }
  }

  /** Adds the sums of each slot to the sums of its group, and clears the sums of the slots. */
  private void toGroups(int plainCount, Groups groups) {
    for (int slot = 0; slot < groups.slotCount(); slot++) {
      long rows = chunkCounts[slot] + chunkCounts[slot + oddOffset];
      if (rows == 0) {
        continue;
      }
      int group = groups.groupOf(slot);
      reserveGroups(group + 1);
      counts[group] += rows;
      for (int i = 0; i < plainCount; i++) {
        SumAccumulator total = plain[i];
        if (total.node().isFloating()) {
          double[] sums = total.chunkFloating(2 * oddOffset);
          total.add(group, sums[slot] + sums[slot + oddOffset]);
        } else {
          long[] sums = total.chunkExact(2 * oddOffset);
          total.add(group, sums[slot] + sums[slot + oddOffset]);
        }
      }
    }
    Arrays.fill(chunkCounts, 0, 2 * oddOffset, 0L);
    for (int i = 0; i < plainCount; i++) {
      if (plain[i].node().isFloating()) {
        Arrays.fill(plain[i].chunkFloating(2 * oddOffset), 0, 2 * oddOffset, 0.0);
      } else {
        Arrays.fill(plain[i].chunkExact(2 * oddOffset), 0, 2 * oddOffset, 0L);
      }
    }
  }

  private void reserveGroups(int count) {
    if (count > counts.length) {
      counts = Arrays.copyOf(counts, Math.max(count, 2 * counts.length));
    }
    for (SumAccumulator total : totals) {
      total.reserveGroups(count);
    }
  }

  /** Prepares the accumulators for reading the results of {@code groups} groups. */
  void finish(int groups) {
    reserveGroups(groups);
  }
}
