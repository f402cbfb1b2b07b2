package dev.kudu4j.tablet.scan.predicate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kudu4j.common.expression.Condition;
import dev.kudu4j.common.expression.RowEvaluator;
import dev.kudu4j.common.predicate.BlockBloomFilter;
import dev.kudu4j.common.predicate.ColumnPredicate;
import dev.kudu4j.common.predicate.ColumnPredicates;
import dev.kudu4j.common.schema.CellOrder;
import dev.kudu4j.common.schema.ColumnSchema;
import dev.kudu4j.common.schema.DataType;
import dev.kudu4j.common.schema.LittleEndian;
import dev.kudu4j.tablet.batch.ColumnVector;
import dev.kudu4j.tablet.memory.Allocators;
import dev.kudu4j.tablet.scan.block.PageFilter;
import dev.kudu4j.tablet.scan.block.RowBlock;
import dev.kudu4j.tablet.scan.block.SelectionBitmap;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.Predicate;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.apache.arrow.memory.BufferAllocator;
import org.junit.jupiter.api.Test;

/**
 * A compiled tree selects the same rows as a plain evaluation of the predicates, on random cells
 * and pages.
 */
class PredicateTreeTest {
  private static final int MAX_ROWS = 300;
  private static final List<DataType> COMPARABLE =
      Arrays.stream(DataType.values()).filter(type -> type != DataType.NESTED).toList();

  @Property(tries = 600)
  void treeEqualsThePlainEvaluation(@ForAll long seed) throws IOException {
    Random random = new Random(seed);
    DataType type = COMPARABLE.get(random.nextInt(COMPARABLE.size()));
    ColumnSchema column =
        ColumnSchema.builder("c", type).id(3).nullable(random.nextBoolean()).build();
    List<byte[]> cells = cells(random, column, 1 + random.nextInt(MAX_ROWS));
    List<ColumnPredicate> predicates = new ArrayList<>();
    for (int i = 0; i <= random.nextInt(3); i++) {
      predicates.add(predicate(random, column, cells));
    }

    PredicateNode tree = new PredicateCompiler(c -> 0, MAX_ROWS).compile(predicates);
    assertThatKeeps(
        tree,
        random,
        column,
        cells,
        cell -> predicates.stream().allMatch(p -> ColumnPredicates.matches(p, cell)),
        predicates.toString());
  }

  @Test
  void boundsOfOneColumnAreOneTestAlsoWithinAnOr() {
    ColumnSchema a = ColumnSchema.builder("a", DataType.INT32).id(1).build();
    ColumnSchema b = ColumnSchema.builder("b", DataType.INT32).id(2).build();
    Condition range =
        new Condition.And(
            List.of(
                new Condition.Match(new ColumnPredicate.Range(a, number(5), null)),
                new Condition.Match(new ColumnPredicate.Range(a, null, number(9)))));
    Condition other = new Condition.Match(new ColumnPredicate.Equality(b, number(1)));

    PredicateNode tree =
        new PredicateCompiler(column -> column.id() - 1, MAX_ROWS)
            .compile(List.of(), new Condition.Or(List.of(range, other)));
    assertThat(tree.alternatives())
        .hasSize(2)
        .allSatisfy(part -> assertThat(part.asColumnFilter()).isNotNull());
  }

  private static byte[] number(int value) {
    byte[] cell = new byte[4];
    LittleEndian.putInt(cell, 0, value);
    return cell;
  }

  @Property(tries = 400)
  void sampleEqualsThePlainEvaluation(@ForAll long seed) throws IOException {
    Random random = new Random(seed);
    List<DataType> types = new ArrayList<>(COMPARABLE);
    types.removeIf(DataType::isFloating);
    DataType type = types.get(random.nextInt(types.size()));
    ColumnSchema column =
        ColumnSchema.builder("c", type).id(3).nullable(random.nextBoolean()).build();
    List<byte[]> cells = cells(random, column, 1 + random.nextInt(MAX_ROWS));
    double lower = random.nextInt(4) == 0 ? 0 : random.nextDouble();
    double upper = random.nextInt(4) == 0 ? 1 : lower + (1 - lower) * random.nextDouble();
    Condition sample = new Condition.Sample(List.of(column), lower, upper, random.nextInt(5));
    Condition condition = random.nextBoolean() ? sample : new Condition.Not(sample);

    PredicateNode tree = new PredicateCompiler(c -> 0, MAX_ROWS).compile(List.of(), condition);
    assertThatKeeps(
        tree,
        random,
        column,
        cells,
        cell -> RowEvaluator.matches(condition, c -> cell),
        condition.toString());
  }

  /**
   * Asserts that the tree keeps the expected rows, and does not select rows that were dropped
   * before.
   */
  private static void assertThatKeeps(
      PredicateNode tree,
      Random random,
      ColumnSchema column,
      List<byte[]> cells,
      Predicate<byte[]> expected,
      String what)
      throws IOException {
    SelectionBitmap rows = new SelectionBitmap(MAX_ROWS);
    rows.selectAll(cells.size());
    SelectionBitmap before = new SelectionBitmap(MAX_ROWS);
    before.selectAll(cells.size());
    for (int i = 0; i < cells.size(); i += 1 + random.nextInt(9)) {
      rows.clear(i);
      before.clear(i);
    }
    try (BufferAllocator allocator = Allocators.root(Long.MAX_VALUE);
        OnePageBlock block = new OnePageBlock(allocator, column, cells, rows)) {
      tree.filter(block, rows);
    }
    for (int i = 0; i < cells.size(); i++) {
      assertThat(rows.isSelected(i))
          .describedAs("%s %s on %s", column.type(), what, Arrays.toString(cells.get(i)))
          .isEqualTo(before.isSelected(i) && expected.test(cells.get(i)));
    }
  }

  private static ColumnPredicate predicate(Random random, ColumnSchema column, List<byte[]> cells) {
    return switch (random.nextInt(8)) {
      case 0 -> new ColumnPredicate.Range(column, value(random, column, cells), null);
      case 1 -> new ColumnPredicate.Range(column, null, value(random, column, cells));
      case 2 ->
          new ColumnPredicate.Range(
              column, value(random, column, cells), value(random, column, cells));
      case 3 -> new ColumnPredicate.Equality(column, value(random, column, cells));
      case 4 -> new ColumnPredicate.IsNotNull(column);
      case 5 ->
          random.nextInt(4) == 0
              ? new ColumnPredicate.None(column)
              : new ColumnPredicate.IsNull(column);
      case 6 -> {
        List<byte[]> values = new ArrayList<>();
        for (int i = 0; i <= random.nextInt(6); i++) {
          values.add(value(random, column, cells));
        }
        values.sort((a, b) -> CellOrder.compare(column.type(), a, b));
        yield new ColumnPredicate.InList(column, values);
      }
      default -> {
        List<byte[]> values = List.of(value(random, column, cells), value(random, column, cells));
        BlockBloomFilter filter = BlockBloomFilter.empty(6, random.nextInt()).with(values);
        yield new ColumnPredicate.InBloomFilter(
            column,
            List.of(filter),
            random.nextBoolean() ? null : value(random, column, cells),
            random.nextBoolean() ? null : value(random, column, cells));
      }
    };
  }

  private static byte[] value(Random random, ColumnSchema column, List<byte[]> cells) {
    byte[] cell = cells.get(random.nextInt(cells.size()));
    return cell != null && random.nextInt(3) > 0 ? cell : cell(random, column.type());
  }

  private static List<byte[]> cells(Random random, ColumnSchema column, int count) {
    List<byte[]> cells = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      boolean isNull = column.isNullable() && random.nextInt(4) == 0;
      cells.add(isNull ? null : cell(random, column.type()));
    }
    return cells;
  }

  private static byte[] cell(Random random, DataType type) {
    if (type == DataType.BOOL || type == DataType.IS_DELETED) {
      return new byte[] {(byte) random.nextInt(2)};
    }
    if (type.isVariableLength()) {
      byte[] text = new byte[random.nextInt(4)];
      for (int i = 0; i < text.length; i++) {
        text[i] = (byte) (random.nextInt(3) * 100);
      }
      return text;
    }
    byte[] cell = new byte[type.width()];
    switch (random.nextInt(4)) {
      case 0 -> random.nextBytes(cell);
      case 1 -> cell[0] = (byte) random.nextInt(4);
      case 2 -> {
        Arrays.fill(cell, (byte) -1);
        cell[0] = (byte) -random.nextInt(4);
      }
      default -> cell[cell.length - 1] = (byte) (random.nextInt(4) * 64);
    }
    return cell;
  }

  /** A block whose rows are one page with correct statistics. */
  private static final class OnePageBlock implements RowBlock, AutoCloseable {
    private final ColumnVector vector;
    private final SelectionBitmap selection;
    private final int nullCount;
    private byte[] minimum;
    private byte[] maximum;

    OnePageBlock(
        BufferAllocator allocator, ColumnSchema column, List<byte[]> cells, SelectionBitmap rows) {
      selection = rows;
      vector = new ColumnVector(allocator, column.type(), column.isNullable());
      int nulls = 0;
      for (byte[] cell : cells) {
        if (cell == null) {
          vector.appendNull();
          nulls++;
          continue;
        }
        vector.append(cell, 0, cell.length);
        if (!CellOrder.isNaN(column.type(), cell, 0)) {
          boolean less = minimum == null || CellOrder.compare(column.type(), cell, minimum) < 0;
          boolean more = maximum == null || CellOrder.compare(column.type(), cell, maximum) > 0;
          minimum = less ? cell : minimum;
          maximum = more ? cell : maximum;
        }
      }
      nullCount = nulls;
    }

    @Override
    public SelectionBitmap selection() {
      return selection;
    }

    @Override
    public boolean prune(int column, PageFilter pageFilter, SelectionBitmap rows) {
      PageFilter.Verdict verdict = pageFilter.judge(vector.rowCount(), nullCount, minimum, maximum);
      if (verdict == PageFilter.Verdict.NONE) {
        rows.clear();
      }
      return verdict != PageFilter.Verdict.SOME;
    }

    @Override
    public ColumnVector cells(int column) {
      return vector;
    }

    @Override
    public void appendSelected(int column, int selected, ColumnVector out) {
      throw new UnsupportedOperationException("Predicates do not copy cells");
    }

    @Override
    public int firstRow(int column) {
      return 0;
    }

    @Override
    public void close() {
      vector.close();
    }
  }
}
