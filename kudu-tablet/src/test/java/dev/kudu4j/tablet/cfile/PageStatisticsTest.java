package dev.kudu4j.tablet.cfile;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kudu4j.common.schema.DataType;
import dev.kudu4j.tablet.batch.ColumnVector;
import dev.kudu4j.tablet.cfile.ColumnCells.Nulls;
import dev.kudu4j.tablet.cfile.ColumnCells.Shape;
import dev.kudu4j.tablet.memory.Allocators;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import net.jqwik.api.Assume;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.apache.arrow.memory.BufferAllocator;
import org.junit.jupiter.api.Test;

/** The bounds of a page contain all of its cells. */
class PageStatisticsTest {
  @Test
  void integersAreOrderedByTheirSign() {
    PageStatistics signed = of(DataType.INT8, new byte[] {-1}, new byte[] {1}, null);
    assertThat(signed.minimum()).containsExactly(-1);
    assertThat(signed.maximum()).containsExactly(1);
    assertThat(signed.nullCount()).isEqualTo(1);
    PageStatistics unsigned = of(DataType.UINT8, new byte[] {-1}, new byte[] {1});
    assertThat(unsigned.minimum()).containsExactly(1);
    assertThat(unsigned.maximum()).containsExactly(-1);
  }

  @Test
  void wideIntegersAreOrderedByTheirHighHalfFirst() {
    byte[] minusOne = new byte[16];
    Arrays.fill(minusOne, (byte) -1);
    byte[] large = new byte[16];
    large[8] = 1;
    PageStatistics statistics = of(DataType.DECIMAL128, large, minusOne);
    assertThat(statistics.minimum()).isEqualTo(minusOne);
    assertThat(statistics.maximum()).isEqualTo(large);
  }

  @Test
  void longTextIsTruncatedAndItsMaximumRoundedUp() {
    byte[] text = "x".repeat(40).getBytes(UTF_8);
    PageStatistics statistics = of(DataType.STRING, text);
    assertThat(new String(statistics.minimum(), UTF_8)).isEqualTo("x".repeat(32));
    assertThat(new String(statistics.maximum(), UTF_8)).isEqualTo("x".repeat(31) + "y");
  }

  @Test
  void textThatCannotBeRoundedUpHasNoMaximum() {
    byte[] text = new byte[40];
    Arrays.fill(text, (byte) -1);
    assertThat(of(DataType.BINARY, text).maximum()).isNull();
    assertThat(of(DataType.BINARY, text).minimum()).hasSize(32);
  }

  @Test
  void boundsContainBothZeros() {
    PageStatistics plus = of(DataType.DOUBLE, cell(0.0));
    assertThat(Double.doubleToRawLongBits(value(plus.minimum()))).isEqualTo(Long.MIN_VALUE);
    PageStatistics minus = of(DataType.DOUBLE, cell(-0.0));
    assertThat(Double.doubleToRawLongBits(value(minus.maximum()))).isZero();
  }

  @Test
  void aPageWithNaNHasNoBounds() {
    PageStatistics statistics = of(DataType.DOUBLE, cell(1), cell(Double.NaN), cell(2));
    assertThat(statistics.minimum()).isNull();
    assertThat(statistics.maximum()).isNull();
  }

  @Property(tries = 500)
  void boundsAreTheSmallestAndTheLargestPresentCell(
      @ForAll DataType type,
      @ForAll Shape shape,
      @ForAll Nulls nulls,
      @ForAll @IntRange(min = 1, max = 80) int rows,
      @ForAll int seed) {
    Assume.that(type != DataType.FLOAT && type != DataType.DOUBLE);
    List<byte[]> cells = ColumnCells.make(type, shape, nulls, rows, new Random(seed));
    PageStatistics found = of(type, cells.toArray(byte[][]::new));
    assertThat(found.nullCount()).isEqualTo((int) cells.stream().filter(c -> c == null).count());
    try (BufferAllocator allocator = Allocators.root(1 << 20);
        ColumnVector vector = new ColumnVector(allocator, type, false)) {
      List<byte[]> present = cells.stream().filter(c -> c != null).toList();
      ColumnCells.append(present, 0, present.size(), vector);
      int smallest = 0;
      int largest = 0;
      for (int row = 1; row < present.size(); row++) {
        smallest = compare(vector, row, smallest) < 0 ? row : smallest;
        largest = compare(vector, row, largest) > 0 ? row : largest;
      }
      boolean any = !present.isEmpty();
      assertThat(found.minimum()).isEqualTo(any ? cut(present.get(smallest)) : null);
      if (any && present.get(largest).length <= PageStatistics.MAX_TEXT_BYTES) {
        assertThat(found.maximum()).isEqualTo(present.get(largest));
      }
    }
  }

  private static int compare(ColumnVector cells, int left, int right) {
    return CellComparator.compare(
        cells.type(),
        cells.cellAddress(left),
        cells.cellLength(left),
        cells.cellAddress(right),
        cells.cellLength(right));
  }

  private static byte[] cut(byte[] cell) {
    return Arrays.copyOf(cell, Math.min(cell.length, PageStatistics.MAX_TEXT_BYTES));
  }

  private static byte[] cell(double value) {
    return ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN).putDouble(value).array();
  }

  private static double value(byte[] cell) {
    return ByteBuffer.wrap(cell).order(ByteOrder.LITTLE_ENDIAN).getDouble();
  }

  private static PageStatistics of(DataType type, byte[]... cells) {
    try (BufferAllocator allocator = Allocators.root(1 << 20);
        ColumnVector vector = new ColumnVector(allocator, type, true)) {
      ColumnCells.append(Arrays.asList(cells), 0, cells.length, vector);
      return PageStatistics.of(vector);
    }
  }
}
