package dev.kudu4j.tablet.cfile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kudu4j.common.schema.DataType;
import dev.kudu4j.tablet.batch.ColumnVector;
import dev.kudu4j.tablet.cfile.ColumnCells.Nulls;
import dev.kudu4j.tablet.cfile.ColumnCells.Shape;
import dev.kudu4j.tablet.memory.Allocators;
import java.util.Random;
import net.jqwik.api.Assume;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.apache.arrow.memory.BufferAllocator;

/** The profile equals one computed cell by cell. */
class IntegerProfileTest {
  @Property(tries = 500)
  void rangeStepsAndRunsMatchTheCells(
      @ForAll DataType type,
      @ForAll Shape shape,
      @ForAll @IntRange(min = 1, max = 50) int rows,
      @ForAll int seed) {
    Assume.that(Cells.areIntegers(type));
    try (BufferAllocator allocator = Allocators.root(1 << 20);
        ColumnVector cells = new ColumnVector(allocator, type, false)) {
      ColumnCells.append(
          ColumnCells.make(type, shape, Nulls.NONE, rows, new Random(seed)), 0, rows, cells);
      IntegerProfile profile = new IntegerProfile(type, cells.dataAddress(), rows);

      long flip = type == DataType.UINT64 ? Long.MIN_VALUE : 0;
      long smallest = Long.MAX_VALUE;
      long largest = Long.MIN_VALUE;
      long smallestStep = Long.MAX_VALUE;
      long largestStep = Long.MIN_VALUE;
      int runs = 1;
      for (int row = 0; row < rows; row++) {
        long value = Cells.get(type, cells.cellAddress(row));
        smallest = Math.min(smallest, value ^ flip);
        largest = Math.max(largest, value ^ flip);
        if (row > 0) {
          long step = value - Cells.get(type, cells.cellAddress(row - 1));
          smallestStep = Math.min(smallestStep, step);
          largestStep = Math.max(largestStep, step);
          runs += step == 0 ? 0 : 1;
        }
      }
      assertThat(profile.smallest()).isEqualTo(smallest ^ flip);
      assertThat(profile.range()).isEqualTo(largest - smallest);
      assertThat(profile.runs()).isEqualTo(runs);
      if (rows > 1) {
        assertThat(profile.smallestStep()).isEqualTo(smallestStep);
        assertThat(profile.stepRange()).isEqualTo(largestStep - smallestStep);
      } else {
        assertThat(profile.stepRange()).isZero();
      }
    }
  }
}
