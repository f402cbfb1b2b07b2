package dev.kudu4j.tablet.cfile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kudu4j.common.schema.ColumnSchema;
import dev.kudu4j.common.schema.DataType;
import dev.kudu4j.common.schema.Encoding;
import dev.kudu4j.tablet.batch.ColumnVector;
import dev.kudu4j.tablet.cfile.ColumnCells.Nulls;
import dev.kudu4j.tablet.cfile.ColumnCells.Shape;
import dev.kudu4j.tablet.memory.Allocators;
import java.util.Random;
import org.apache.arrow.memory.BufferAllocator;
import org.junit.jupiter.api.Test;

/** The encoding that is chosen from the data if the user does not request one. */
class EncodingChooserTest {
  @Test
  void automaticEncodingFollowsTheData() {
    assertThat(chosen(DataType.INT64, Encoding.AUTO, Shape.RISING)).isEqualTo("delta");
    assertThat(chosen(DataType.INT32, Encoding.AUTO, Shape.CONSTANT))
        .isEqualTo("frame of reference");
    assertThat(chosen(DataType.INT64, Encoding.AUTO, Shape.RUNS)).isEqualTo("run length");
    assertThat(chosen(DataType.INT64, Encoding.AUTO, Shape.FEW_DISTINCT)).isEqualTo("dictionary");
    assertThat(chosen(DataType.INT64, Encoding.AUTO, Shape.RANDOM)).isEqualTo("plain");
    assertThat(chosen(DataType.DOUBLE, Encoding.AUTO, Shape.RANDOM)).isEqualTo("plain");
    assertThat(chosen(DataType.DOUBLE, Encoding.AUTO, Shape.FEW_DISTINCT)).isEqualTo("dictionary");
    assertThat(chosen(DataType.DOUBLE, Encoding.AUTO, Shape.DECIMALS)).isEqualTo("scaled decimal");
    assertThat(chosen(DataType.STRING, Encoding.AUTO, Shape.FEW_DISTINCT)).isEqualTo("dictionary");
    assertThat(chosen(DataType.STRING, Encoding.AUTO, Shape.WORDS)).isEqualTo("symbol table");
    assertThat(chosen(DataType.BOOL, Encoding.AUTO, Shape.RANDOM)).isEqualTo("frame of reference");
  }

  @Test
  void requestedEncodingIsUsedIfItSupportsTheData() {
    assertThat(chosen(DataType.INT64, Encoding.BIT_SHUFFLE, Shape.RISING)).isEqualTo("bit shuffle");
    assertThat(chosen(DataType.INT64, Encoding.PLAIN, Shape.RISING)).isEqualTo("plain");
    assertThat(chosen(DataType.INT64, Encoding.RLE, Shape.RUNS)).isEqualTo("run length");
    assertThat(chosen(DataType.INT64, Encoding.RLE, Shape.RANDOM)).isEqualTo("plain");
    assertThat(chosen(DataType.STRING, Encoding.PREFIX, Shape.WORDS)).isEqualTo("prefix");
    assertThat(chosen(DataType.STRING, Encoding.DICTIONARY, Shape.FEW_DISTINCT))
        .isEqualTo("dictionary");
  }

  private static String chosen(DataType type, Encoding encoding, Shape shape) {
    ColumnSchema column = ColumnSchema.builder("c", type).id(1).encoding(encoding).build();
    try (BufferAllocator allocator = Allocators.root(1 << 26);
        ColumnVector cells = new ColumnVector(allocator, type, false);
        PageBuilder out = new PageBuilder(allocator)) {
      ColumnCells.append(
          ColumnCells.make(type, shape, Nulls.NONE, 4000, new Random(5)), 0, 4000, cells);
      return new EncodingChooser(column).encode(cells, out).name();
    }
  }
}
