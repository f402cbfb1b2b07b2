package dev.kudu4j.tablet.scan.aggregate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kudu4j.common.schema.DataType;
import dev.kudu4j.tablet.batch.ColumnVector;
import dev.kudu4j.tablet.memory.Allocators;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.apache.arrow.memory.BufferAllocator;

class CellNumbersTest {
  @Property(tries = 60)
  void numbersCellsInOrderOfAppearance(@ForAll long seed) {
    Random random = new Random(seed);
    Map<String, Integer> expected = new HashMap<>();
    CellNumbers numbers = new CellNumbers();
    int rows = random.nextInt(3000);
    int longest = 1 + random.nextInt(20);
    try (BufferAllocator allocator = Allocators.root(Long.MAX_VALUE);
        ColumnVector cells = new ColumnVector(allocator, DataType.BINARY, true)) {
      for (int row = 0; row < rows; row++) {
        if (random.nextInt(20) == 0) {
          cells.appendNull();
        } else {
          byte[] cell = new byte[random.nextInt(longest)];
          for (int i = 0; i < cell.length; i++) {
            cell[i] = (byte) (random.nextInt(3) - 1);
          }
          cells.append(cell, 0, cell.length);
        }
      }
      for (int row = 0; row < rows; row++) {
        byte[] cell = null;
        int found;
        if (cells.isNull(row)) {
          found = numbers.ofNull();
        } else {
          found = numbers.of(cells.cellAddress(row), cells.cellLength(row));
          cell = numbers.cell(found);
        }
        int number = expected.computeIfAbsent(Arrays.toString(cell), key -> expected.size());
        assertThat(found).isEqualTo(number);
      }
    }
    assertThat(numbers.count()).isEqualTo(expected.size());
    for (int number = 0; number < numbers.count(); number++) {
      assertThat(expected).containsEntry(Arrays.toString(numbers.cell(number)), number);
    }
  }
}
