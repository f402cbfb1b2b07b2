package dev.kudu4j.tablet.scan.aggregate;

import static dev.kudu4j.common.expression.Aggregate.Function.MAX;
import static dev.kudu4j.common.expression.Aggregate.Function.MIN;

import dev.kudu4j.common.expression.Aggregate;
import dev.kudu4j.common.expression.Aggregation;
import dev.kudu4j.common.expression.Condition;
import dev.kudu4j.common.expression.Expression;
import dev.kudu4j.common.schema.CellOrder;
import dev.kudu4j.common.schema.ColumnSchema;
import dev.kudu4j.tablet.batch.ColumnBatch;
import dev.kudu4j.tablet.cfile.CellSum;
import dev.kudu4j.tablet.scan.block.RowBlock;
import dev.kudu4j.tablet.scan.block.SelectionBitmap;
import dev.kudu4j.tablet.scan.expression.ColumnNode;
import dev.kudu4j.tablet.scan.expression.ExpressionCompiler;
import dev.kudu4j.tablet.scan.expression.NumberNode;
import dev.kudu4j.tablet.scan.expression.RowChunk;
import dev.kudu4j.tablet.scan.predicate.PredicateCompiler;
import dev.kudu4j.tablet.scan.predicate.PredicateNode;
import dev.kudu4j.tablet.scan.source.BlockVisitor;
import dev.kudu4j.tablet.scan.source.ColumnSummary;
import dev.kudu4j.tablet.scan.source.ScanColumns;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Computes aggregates over blocks of rows. For each chunk of a block it computes the slot of each
 * row (see {@link Groups}), and passes the chunk to the {@link Accumulators} of all rows, and to
 * those of each filter with the slots of the rows that the filter selects.
 */
public final class Aggregator implements BlockVisitor {
  /** Aggregates over the rows that a condition selects. */
  private record Filtered(
      PredicateNode filter, SelectionBitmap rows, int[] slots, Accumulators accumulators) {}

  private final Aggregation spec;
  private final Groups groups;
  private final Accumulators all = new Accumulators();
  private final Map<Condition, Filtered> filtered = new HashMap<>();
  private final List<AggregateResult> results = new ArrayList<>();
  private final RowChunk chunk = new RowChunk();

  /**
   * @param blockRows the maximum number of rows of a block
   */
  public Aggregator(Aggregation spec, ScanColumns columns, int blockRows) {
    this.spec = spec;
    ToIntFunction<ColumnSchema> numberOf = column -> columns.numberOfId(column.id());
    List<GroupColumn> groupColumns = new ArrayList<>();
    for (ColumnSchema column : spec.groupBy()) {
      groupColumns.add(new GroupColumn(numberOf.applyAsInt(column), column.type()));
    }
    this.groups = new Groups(groupColumns);
    ExpressionCompiler compiler = new ExpressionCompiler(numberOf);
    PredicateCompiler filters = new PredicateCompiler(numberOf, blockRows);
    for (Aggregate aggregate : spec.aggregates()) {
      results.add(result(aggregate, numberOf, compiler, filters, blockRows));
    }
  }

  private AggregateResult result(
      Aggregate aggregate,
      ToIntFunction<ColumnSchema> numberOf,
      ExpressionCompiler compiler,
      PredicateCompiler filters,
      int blockRows) {
    Accumulators rows = accumulators(aggregate.filter(), filters, blockRows);
    ColumnSchema column = aggregate.column();
    Expression argument = aggregate.argument();
    if (argument == null
        || (aggregate.function() == Aggregate.Function.COUNT
            && column != null
            && !column.isNullable())) {
      return new AggregateResult.RowCount(rows);
    }
    if (aggregate.function() == Aggregate.Function.COUNT && column != null) {
      return new AggregateResult.PresentCount(rows, rows.sum(compiler.presence(column)));
    }
    if (aggregate.function() == Aggregate.Function.DISTINCT_SKETCH) {
      assert column != null : "a sketch is of a column";
      return new AggregateResult.Sketch(rows.sketch(numberOf.applyAsInt(column), column.type()));
    }
    boolean extreme = aggregate.function() == MIN || aggregate.function() == MAX;
    boolean largest = aggregate.function() == MAX;
    if (extreme && column != null && !column.type().isNumber()) {
      return new AggregateResult.ExtremeCell(
          rows.extreme(numberOf.applyAsInt(column), column.type(), largest));
    }
    NumberNode node = compiler.compile(argument);
    if (extreme) {
      return new AggregateResult.Extreme(
          rows.extreme(node, largest), column == null ? null : column.type());
    }
    SumAccumulator sum = rows.sum(node);
    return switch (aggregate.function()) {
      case COUNT -> new AggregateResult.PresentCount(rows, sum);
      case SUM -> new AggregateResult.Sum(rows, sum);
      default -> new AggregateResult.Average(rows, sum);
    };
  }

  private Accumulators accumulators(
      @Nullable Condition filter, PredicateCompiler filters, int blockRows) {
    if (filter == null) {
      return all;
    }
    return filtered
        .computeIfAbsent(
            filter,
            condition ->
                new Filtered(
                    filters.compile(List.of(), condition),
                    new SelectionBitmap(blockRows),
                    new int[RowChunk.MAX_ROWS],
                    new Accumulators()))
        .accumulators();
  }

  @Override
  public boolean onlyCounts() {
    return spec.groupBy().isEmpty() && filtered.isEmpty() && all.onlyCounts();
  }

  @Override
  public void count(long rows) {
    all.addCount(0, rows);
  }

  @Override
  public void visit(RowBlock rows) throws IOException {
    int count = rows.selection().rowCount();
    if (onlyCounts()) {
      all.addCount(0, rows.selection().count());
      return;
    }
    for (Filtered some : filtered.values()) {
      some.rows().copyFrom(rows.selection());
      some.filter().filter(rows, some.rows());
    }
    for (int from = 0; from < count; from += RowChunk.MAX_ROWS) {
      int max = Math.min(RowChunk.MAX_ROWS, count - from);
      if (chunk.moveTo(rows, rows.selection(), from, max)) {
        addChunk();
      }
    }
  }

  @Override
  public int @Nullable [] summarizedColumns() {
    return spec.groupBy().isEmpty() && filtered.isEmpty() ? all.summarizedColumns() : null;
  }

  @Override
  public void addSummary(ColumnSummary summary) {
    all.addSummary(0, summary);
  }

  @Override
  public int summedColumn() {
    SumAccumulator only = spec.groupBy().isEmpty() && filtered.isEmpty() ? all.onlySum() : null;
    return only != null && only.node() instanceof ColumnNode node ? node.column() : -1;
  }

  @Override
  public void add(CellSum sum) {
    SumAccumulator total = all.onlySum();
    assert total != null : "the only sum is of the summed column";
    all.addCount(0, sum.rows());
    if (total.node().isFloating()) {
      total.add(0, sum.floating());
    } else {
      total.add(0, sum.exact());
    }
  }

  private void addChunk() throws IOException {
    int[] slots = groups.assign(chunk);
    all.add(chunk, slots, groups);
    for (Filtered some : filtered.values()) {
      int[] kept = some.slots();
      int leftOut = groups.slotCount();
      for (int i = 0; i < chunk.count(); i++) {
        kept[i] = some.rows().isSelected(chunk.row(i)) ? slots[i] : leftOut;
      }
      some.accumulators().add(chunk, kept, groups);
    }
  }

  /** The memory of all groups: the tables as they have grown, not only the used part. */
  public long bytes() {
    long bytes = groups.bytes() + all.bytes();
    for (Filtered some : filtered.values()) {
      bytes += some.accumulators().bytes();
    }
    return bytes;
  }

  /** The memory for a chunk of rows, besides that of the groups; an empty aggregator has it too. */
  long chunkBytes() {
    long bytes = groups.chunkBytes() + all.chunkBytes() + (long) Integer.BYTES * RowChunk.MAX_ROWS;
    for (Filtered some : filtered.values()) {
      bytes +=
          (long) Long.BYTES * some.rows().words().length
              + (long) Integer.BYTES * some.slots().length
              + some.accumulators().chunkBytes();
    }
    return bytes;
  }

  /** The exclusive upper bound of the group numbers. */
  public int groupCount() {
    return groups.groupCount();
  }

  /** Whether the group has rows; without grouping columns there always is one group. */
  public boolean isGroup(int group) {
    return all.count(group) > 0 || spec.groupBy().isEmpty();
  }

  /** Must be called after the last row, and before the results are read. */
  public void finish() {
    all.finish(groups.groupCount());
    filtered.values().forEach(some -> some.accumulators().finish(groups.groupCount()));
  }

  /**
   * Appends a row with the values of the grouping columns and the results of the aggregates.
   *
   * @param out has the columns of {@link Aggregation#resultColumns}; the caller sets its row count
   */
  public void append(int group, ColumnBatch out) {
    byte[][] values = groups.values(group);
    for (int i = 0; i < values.length; i++) {
      if (values[i] == null) {
        out.column(i).appendNull();
      } else {
        out.column(i).append(values[i], 0, values[i].length);
      }
    }
    for (int i = 0; i < results.size(); i++) {
      results.get(i).append(group, out.column(values.length + i));
    }
  }

  /** The groups with rows, ascending; without grouping columns, always one group. */
  List<AggregateRow> rows() {
    finish();
    List<AggregateRow> rows = new ArrayList<>();
    for (int group = 0; group < groups.groupCount(); group++) {
      if (isGroup(group)) {
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
    Object[] values = new Object[results.size()];
    for (int i = 0; i < values.length; i++) {
      values[i] = results.get(i).value(group);
    }
    return new AggregateRow(Arrays.asList(groups.values(group)), Arrays.asList(values));
  }
}
