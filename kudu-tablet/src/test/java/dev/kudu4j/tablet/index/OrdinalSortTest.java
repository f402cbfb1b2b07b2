package dev.kudu4j.tablet.index;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kudu4j.common.schema.CellOrder;
import dev.kudu4j.common.schema.DataType;
import dev.kudu4j.tablet.batch.ColumnVector;
import dev.kudu4j.tablet.cfile.ColumnCells;
import dev.kudu4j.tablet.cfile.ColumnCells.Nulls;
import dev.kudu4j.tablet.cfile.ColumnCells.Shape;
import dev.kudu4j.tablet.memory.Allocators;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.apache.arrow.memory.BufferAllocator;
import org.junit.jupiter.api.Test;

/** Ordinals are sorted as a list of cells is. */
class OrdinalSortTest {
  @Property(tries = 600)
  void oneColumn(
      @ForAll DataType type,
      @ForAll Shape shape,
      @ForAll Nulls nulls,
      @ForAll @IntRange(max = 3000) int rows,
      @ForAll int seed) {
    if (type != DataType.NESTED) {
      check(List.of(type), List.of(ColumnCells.make(type, shape, nulls, rows, new Random(seed))));
    }
  }

  @Property(tries = 300)
  void severalColumns(
      @ForAll DataType first,
      @ForAll DataType second,
      @ForAll Shape shape,
      @ForAll Nulls nulls,
      @ForAll @IntRange(max = 1000) int rows,
      @ForAll int seed) {
    if (first != DataType.NESTED && second != DataType.NESTED) {
      Random random = new Random(seed);
      check(
          List.of(first, second),
          List.of(
              ColumnCells.make(first, Shape.FEW_DISTINCT, nulls, rows, random),
              ColumnCells.make(second, shape, Nulls.SOME, rows, random)));
    }
  }

  /** Text with equal beginnings of all lengths, zeros at the end included. */
  @Property(tries = 300)
  void similarText(@ForAll @IntRange(min = 1, max = 400) int rows, @ForAll int seed) {
    Random random = new Random(seed);
    byte[][] cells = new byte[rows][];
    for (int i = 0; i < rows; i++) {
      cells[i] = new byte[random.nextInt(40)];
      int different = random.nextInt(3);
      for (int j = 0; j < different && cells[i].length > 0; j++) {
        cells[i][random.nextInt(cells[i].length)] = (byte) random.nextInt(3);
      }
    }
    check(List.of(DataType.BINARY), List.of(Arrays.asList(cells)));
  }

  @Test
  void longEqualTextNeedsNoStack() {
    byte[][] cells = new byte[100][60_000];
    cells[70][59_999] = 1;
    check(List.of(DataType.BINARY), List.of(Arrays.asList(cells)));
  }

  private static void check(List<DataType> types, List<List<byte[]>> columns) {
    int rows = columns.get(0).size();
    Integer[] expected = new Integer[rows];
    Arrays.setAll(expected, i -> i);
    Comparator<Integer> order = null;
    for (int i = 0; i < types.size(); i++) {
      DataType type = types.get(i);
      List<byte[]> cells = columns.get(i);
      Comparator<Integer> byColumn = (a, b) -> compare(type, cells.get(a), cells.get(b));
      order = order == null ? byColumn : order.thenComparing(byColumn);
    }
    Arrays.sort(expected, order);

    try (BufferAllocator allocator = Allocators.root(Long.MAX_VALUE);
        OrdinalSort sort = new OrdinalSort(allocator, rows)) {
      for (int i = types.size() - 1; i >= 0; i--) {
        try (ColumnVector vector = new ColumnVector(allocator, types.get(i), true)) {
          for (byte[] cell : columns.get(i)) {
            if (cell == null) {
              vector.appendNull();
            } else {
              vector.append(cell, 0, cell.length);
            }
          }
          sort.by(vector);
        }
      }
      Integer[] found = new Integer[rows];
      Arrays.setAll(found, sort::ordinal);
      assertThat(found).isEqualTo(expected);
    }
  }

  private static int compare(DataType type, byte[] a, byte[] b) {
    return a == null || b == null
        ? Boolean.compare(a != null, b != null)
        : CellOrder.compare(type, a, b);
  }
}
