package dev.kudu4j.tablet.delta;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kudu4j.common.memory.Memory;
import dev.kudu4j.tablet.memory.Allocators;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.junit.jupiter.api.Test;

class RowChangeTest {
  @Property(tries = 100)
  void anyChangeReadsAsItWasBuilt(@ForAll long seed) {
    Random random = new Random(seed);
    RowChangeBuilder builder = new RowChangeBuilder();
    RowChangeReader reader = new RowChangeReader();
    try (BufferAllocator root = Allocators.root(1 << 24);
        ArrowBuf memory = root.buffer(1 << 20)) {
      for (byte kind : new byte[] {RowChange.UPDATE, RowChange.REINSERT}) {
        builder.begin(kind);
        List<byte[]> cells = new ArrayList<>();
        for (int column = random.nextInt(40); column > 0; column--) {
          byte[] cell = random.nextInt(4) == 0 ? null : new byte[random.nextInt(50)];
          cells.add(cell);
          addCell(builder, 100 * cells.size(), cell, memory.memoryAddress(), random);
        }
        Memory.copy(builder.array(), 0, memory.memoryAddress(), builder.length());
        reader.open(memory.memoryAddress(), builder.length());
        assertReads(reader, kind, cells);
      }
    }
  }

  private static void addCell(
      RowChangeBuilder builder, int columnId, byte[] cell, long scratch, Random random) {
    if (cell == null) {
      builder.addNull(columnId);
      return;
    }
    random.nextBytes(cell);
    if (random.nextBoolean()) {
      builder.addCell(columnId, cell, 0, cell.length);
    } else {
      Memory.copy(cell, 0, scratch, cell.length);
      builder.addCell(columnId, scratch, cell.length);
    }
  }

  private static void assertReads(RowChangeReader reader, byte kind, List<byte[]> cells) {
    assertThat(reader.kind()).isEqualTo(kind);
    assertThat(reader.cellCount()).isEqualTo(cells.size());
    for (int i = 0; i < cells.size(); i++) {
      assertThat(reader.nextCell()).isTrue();
      assertThat(reader.columnId()).isEqualTo(100 * (i + 1));
      byte[] cell = cells.get(i);
      assertThat(reader.isNull()).isEqualTo(cell == null);
      byte[] found = new byte[reader.cellLength()];
      Memory.copy(reader.cellAddress(), found, 0, found.length);
      assertThat(found).isEqualTo(cell == null ? new byte[0] : cell);
    }
    assertThat(reader.nextCell()).isFalse();
    assertThat(reader.findCell(7)).isFalse();
    assertThat(reader.findCell(100 * cells.size())).isEqualTo(!cells.isEmpty());
  }

  @Test
  void bytesHaveTheDocumentedFormat() {
    RowChangeBuilder builder = new RowChangeBuilder();
    builder.begin(RowChange.UPDATE);
    builder.addCell(0x0102, new byte[] {0, 0x55, 0x66}, 1, 2);
    builder.addNull(3);
    byte[] expected = {1, 2, 0, 2, 1, 0, 0, 2, 0, 0, 0, 0x55, 0x66, 3, 0, 0, 0, -1, -1, -1, -1};
    assertThat(builder.array()).startsWith(expected);
    assertThat(builder.length()).isEqualTo(expected.length);
    builder.begin(RowChange.DELETE);
    assertThat(builder.length()).isEqualTo(3);
    assertThat(builder.array()).startsWith(2, 0, 0);
  }
}
