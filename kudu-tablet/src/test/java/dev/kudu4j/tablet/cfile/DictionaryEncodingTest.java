package dev.kudu4j.tablet.cfile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kudu4j.common.memory.Memory;
import dev.kudu4j.common.schema.DataType;
import dev.kudu4j.tablet.batch.ColumnVector;
import dev.kudu4j.tablet.memory.Allocators;
import org.apache.arrow.memory.BufferAllocator;
import org.junit.jupiter.api.Test;

class DictionaryEncodingTest {
  private static final int ROWS = 5000;

  @Test
  void aCodeBehindTheLastEntryIsRefused() {
    try (BufferAllocator allocator = Allocators.root(1 << 26);
        ColumnVector cells = new ColumnVector(allocator, DataType.INT64, false);
        PageBuilder page = new PageBuilder(allocator);
        PageDecoder decoder = new DictionaryEncoding().decoder(DataType.INT64)) {
      appendThreeValues(cells);
      assertThat(new DictionaryEncoding().encode(cells, page, Long.MAX_VALUE)).isTrue();
      setLastCode(page, 3);

      assertThat(decoder.open(page.address(), page.bytes(), ROWS))
          .isEqualTo("dictionary: expected codes below 3, found 3");
    }
  }

  private static void appendThreeValues(ColumnVector cells) {
    cells.reserve(ROWS, 0);
    for (int row = 0; row < ROWS; row++) {
      Memory.putLong(cells.dataAddress() + 8L * row, 100L + row % 3);
    }
    cells.advance(ROWS, 0);
  }

  /** Three entries have codes of two bits, which end the page. */
  private static void setLastCode(PageBuilder page, int code) {
    long packed = page.address() + page.bytes() - PackedReader.bytes(ROWS, 2);
    PackedReader.put(packed, ROWS, 2, ROWS - 1, code);
  }
}
