package dev.kudu4j.tablet.scan.aggregate;

import static dev.kudu4j.tablet.scan.aggregate.Aggregate.Function.MAX;
import static dev.kudu4j.tablet.scan.aggregate.Aggregate.Function.MIN;

import dev.kudu4j.common.schema.CellOrder;
import dev.kudu4j.common.schema.ColumnSchema;
import dev.kudu4j.tablet.batch.NumberVector;
import dev.kudu4j.tablet.batch.NumberVector.Kind;
import dev.kudu4j.tablet.cfile.CellSum;
import dev.kudu4j.tablet.scan.source.BlockVisitor;
import dev.kudu4j.tablet.scan.source.ScanColumns;
import dev.kudu4j.tablet.scan.source.SelectedRows;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Computes aggregates over blocks of rows. For each chunk of a block it computes the slot of each
 * row (see {@link Groups}) and the numbers of each expression, and sums the numbers by slot in
 * loops over up to three columns. Then it adds the sums of each slot to the slot's group. The row
 * counts share the accumulators of the first sum of ints: they use the bits above the sum.
 */
final class Aggregator implements BlockVisitor {
  /**
   * The bit position of the count in a combined accumulator: the sum of 1024 ints needs 42 bits.
   */
  private static final int COUNT_SHIFT = 44;

  private static final long HALF_COUNT = 1L << (COUNT_SHIFT - 1);

  private final AggregateSpec spec;
  private final Groups groups;
  private final List<SumAccumulator> totals = new ArrayList<>();
  private final Map<NumberNode, SumAccumulator> totalOf = new HashMap<>();
  private final SumAccumulator[] sumOf;
  private final MinMaxAccumulator[] minMaxOf;
  private final MinMaxCellAccumulator[] minMaxCellOf;
  private final RowChunk chunk = new RowChunk();
  private final SumAccumulator[] plain;
  private final SumAccumulator[] together = new SumAccumulator[GroupedSums.MAX_COLUMNS];
  private long[] counts = new long[1]; // by group
  private long[] chunkCounts = new long[4];

  Aggregator(AggregateSpec spec, ScanColumns columns) {
    this.spec = spec;
    List<GroupColumn> groupColumns = new ArrayList<>();
    for (ColumnSchema column : spec.groupBy()) {
      groupColumns.add(new GroupColumn(columns.numberOfId(column.id())));
    }
    this.groups = new Groups(groupColumns);
    ExpressionCompiler compiler = new ExpressionCompiler(columns);
    int count = spec.aggregates().size();
    this.sumOf = new SumAccumulator[count];
    this.minMaxOf = new MinMaxAccumulator[count];
    this.minMaxCellOf = new MinMaxCellAccumulator[count];
    for (int i = 0; i < count; i++) {
      prepare(i, spec.aggregates().get(i), columns, compiler);
    }
    this.plain = new SumAccumulator[totals.size()];
  }

  private void prepare(
      int index, Aggregate aggregate, ScanColumns columns, ExpressionCompiler compiler) {
    if (aggregate.argument() == null) {
      return;
    }
    boolean isExtreme = aggregate.function() == MIN || aggregate.function() == MAX;
    if (isExtreme
        && aggregate.argument() instanceof Expression.Column argument
        && !NumberVector.fits(argument.column().type())) {
      ColumnSchema column = argument.column();
      minMaxCellOf[index] =
          new MinMaxCellAccumulator(
              columns.numberOfId(column.id()), column.type(), aggregate.function() == MAX);
      return;
    }
    NumberNode node = compiler.compile(aggregate.argument());
    switch (aggregate.function()) {
      case MIN -> minMaxOf[index] = new MinMaxAccumulator(node, false);
      case MAX -> minMaxOf[index] = new MinMaxAccumulator(node, true);
      default -> sumOf[index] = totalOf.computeIfAbsent(node, this::makeTotal);
    }
  }

  private SumAccumulator makeTotal(NumberNode node) {
    SumAccumulator total = new SumAccumulator(node);
    totals.add(total);
    return total;
  }

  @Override
  public void count(long rows) {
    counts[0] += rows;
  }

  @Override
  public void visit(SelectedRows rows) throws IOException {
    int count = rows.selection().rowCount();
    if (totals.isEmpty() && spec.groupBy().isEmpty() && !hasExtremes()) {
      counts[0] += rows.selection().count();
      return;
    }
    for (int from = 0; from < count; from += RowChunk.MAX_ROWS) {
      if (chunk.moveTo(rows, from, Math.min(RowChunk.MAX_ROWS, count - from))) {
        addChunk();
      }
    }
  }

  @Override
  public int summedColumn() {
    boolean single = spec.groupBy().isEmpty() && totals.size() == 1 && !hasExtremes();
    return single && totals.get(0).node() instanceof ColumnNode node ? node.column() : -1;
  }

  @Override
  public void add(CellSum sum) {
    SumAccumulator total = totals.get(0);
    counts[0] += sum.rows();
    if (total.node().isFloating()) {
      total.add(0, sum.floating());
    } else {
      total.add(0, sum.exact());
    }
  }

  private boolean hasExtremes() {
    for (int i = 0; i < minMaxOf.length; i++) {
      if (minMaxOf[i] != null || minMaxCellOf[i] != null) {
        return true;
      }
    }
    return false;
  }

  private void addChunk() throws IOException {
    int[] slots = groups.assign(chunk);
    int plainCount = 0;
    for (SumAccumulator total : totals) {
      NumberVector numbers = total.node().evaluate(chunk);
      if (SumAccumulator.isPlain(numbers)) {
        plain[plainCount++] = total;
      } else {
        total.addEach(numbers, slots, chunk, groups);
      }
    }
    boolean counted = addInts(slots, plainCount);
    addLongs(slots, plainCount);
    addDoubles(slots, plainCount);
    if (!counted) {
      count(slots);
    }
    toGroups(plainCount);
    for (MinMaxAccumulator extreme : minMaxOf) {
      if (extreme != null) {
        extreme.add(slots, chunk, groups);
      }
    }
    for (MinMaxCellAccumulator extreme : minMaxCellOf) {
      if (extreme != null) {
        extreme.add(slots, chunk, groups);
      }
    }
  }

  /** The offset of the accumulators for rows with odd indexes; see {@link GroupedSums}. */
  private int oddOffset() {
    return groups.slotCount() + 1;
  }

  /**
   * Collects in {@link #together} the next plain sums whose numbers have the given kind, starting
   * at index {@code next[0]}; returns their number.
   */
  private int gather(Kind kind, int[] next, int plainCount) throws IOException {
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
    return together[index].chunkExact(2 * oddOffset());
  }

  private final int[] next = new int[1];

  private boolean addInts(int[] slots, int plainCount) throws IOException {
    int rows = chunk.count();
    long extra = 1L << COUNT_SHIFT;
    next[0] = 0;
    for (int count = gather(Kind.INTS, next, plainCount);
        count > 0;
        count = gather(Kind.INTS, next, plainCount)) {
      int[] a = numbers(0).ints();
      switch (count) {
        case 1 -> GroupedSums.add(slots, rows, oddOffset(), extra, a, exact(0));
        case 2 ->
            GroupedSums.add(
                slots, rows, oddOffset(), extra, a, exact(0), numbers(1).ints(), exact(1));
        default ->
            GroupedSums.add(
                slots,
                rows,
                oddOffset(),
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
    int length = 2 * oddOffset();
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

  private void addLongs(int[] slots, int plainCount) throws IOException {
    int rows = chunk.count();
    next[0] = 0;
    for (int count = gather(Kind.LONGS, next, plainCount);
        count > 0;
        count = gather(Kind.LONGS, next, plainCount)) {
      long[] a = numbers(0).longs();
      switch (count) {
        case 1 -> GroupedSums.add(slots, rows, oddOffset(), a, exact(0));
        case 2 ->
            GroupedSums.add(slots, rows, oddOffset(), a, exact(0), numbers(1).longs(), exact(1));
        default ->
            GroupedSums.add(
                slots,
                rows,
                oddOffset(),
                a,
                exact(0),
                numbers(1).longs(),
                exact(1),
                numbers(2).longs(),
                exact(2));
      }
    }
  }

  private double[] floating(int index) {
    return together[index].chunkFloating(2 * oddOffset());
  }

  private void addDoubles(int[] slots, int plainCount) throws IOException {
    int rows = chunk.count();
    next[0] = 0;
    for (int count = gather(Kind.DOUBLES, next, plainCount);
        count > 0;
        count = gather(Kind.DOUBLES, next, plainCount)) {
      double[] a = numbers(0).doubles();
      switch (count) {
        case 1 -> GroupedSums.add(slots, rows, oddOffset(), a, floating(0));
        case 2 ->
            GroupedSums.add(
                slots, rows, oddOffset(), a, floating(0), numbers(1).doubles(), floating(1));
        default ->
            GroupedSums.add(
                slots,
                rows,
                oddOffset(),
                a,
                floating(0),
                numbers(1).doubles(),
                floating(1),
                numbers(2).doubles(),
                floating(2));
      }
    }
  }

  private void count(int[] slots) {
    GroupedSums.count(slots, chunk.count(), oddOffset(), chunkCounts(2 * oddOffset()));
  }

  /** Adds the sums of each slot to the sums of its group, and clears the sums of the slots. */
  private void toGroups(int plainCount) {
    int oddOffset = oddOffset();
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

  /** The nonempty groups, ascending; without grouping columns, always one group. */
  List<AggregateRow> rows() {
    reserveGroups(groups.groupCount());
    List<AggregateRow> rows = new ArrayList<>();
    for (int group = 0; group < groups.groupCount(); group++) {
      if (counts[group] > 0 || spec.groupBy().isEmpty()) {
        rows.add(row(group));
      }
    }
    rows.sort((a, b) -> compare(a.group(), b.group()));
    return rows;
  }

  private int compare(List<byte[]> left, List<byte[]> right) {
    for (int i = 0; i < left.size(); i++) {
      byte[] a = left.get(i);
      byte[] b = right.get(i);
      int order =
          a == null || b == null
              ? Boolean.compare(b == null, a == null)
              : CellOrder.compare(spec.groupBy().get(i).type(), a, b);
      if (order != 0) {
        return order;
      }
    }
    return 0;
  }

  private AggregateRow row(int group) {
    Object[] values = new Object[spec.aggregates().size()];
    for (int i = 0; i < values.length; i++) {
      values[i] = value(i, group);
    }
    return new AggregateRow(Arrays.asList(groups.values(group)), Arrays.asList(values));
  }

  private Object value(int index, int group) {
    if (minMaxCellOf[index] != null) {
      return minMaxCellOf[index].value(group);
    }
    if (minMaxOf[index] != null) {
      return minMaxOf[index].value(group);
    }
    SumAccumulator total = sumOf[index];
    long present = counts[group] - (total == null ? 0 : total.nulls(group));
    Aggregate.Function function = spec.aggregates().get(index).function();
    if (function == Aggregate.Function.COUNT) {
      return present;
    }
    if (present == 0) {
      return null;
    }
    Number sum = total.value(group);
    return function == Aggregate.Function.SUM ? sum : (Number) (sum.doubleValue() / present);
  }
}
