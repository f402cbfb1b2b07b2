package dev.kudu4j.tablet.cfile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kudu4j.common.schema.ColumnSchema;
import dev.kudu4j.common.schema.Compression;
import dev.kudu4j.common.schema.DataType;
import dev.kudu4j.common.schema.Encoding;
import dev.kudu4j.tablet.batch.ColumnVector;
import dev.kudu4j.tablet.cfile.ColumnCells.Nulls;
import dev.kudu4j.tablet.cfile.ColumnCells.Shape;
import dev.kudu4j.tablet.env.StorageHarness;
import dev.kudu4j.tablet.file.FileKind;
import dev.kudu4j.tablet.file.SealedFile;
import dev.kudu4j.tablet.file.SealedFileWriter;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Cells that were written to a column are read again, for any type, encoding, compression, NULLs
 * and range.
 */
class ColumnRoundTripTest {
  @Property(tries = 400)
  void anyColumnReadsBack(
      @ForAll DataType type,
      @ForAll Encoding encoding,
      @ForAll Compression compression,
      @ForAll Shape shape,
      @ForAll Nulls nulls,
      @ForAll @IntRange(min = 1, max = 700) int rows,
      @ForAll @IntRange(min = 64, max = 2000) int pageBytes,
      @ForAll int seed)
      throws IOException {
    ColumnSchema column =
        column(type)
            .id(7)
            .nullable(nulls != Nulls.NONE)
            .encoding(encoding)
            .compression(compression)
            .build();
    Random random = new Random(seed);
    checkRoundTrip(column, ColumnCells.make(type, shape, nulls, rows, random), pageBytes, random);
  }

  @ParameterizedTest
  @EnumSource(DataType.class)
  void everyTypeReadsBackInEveryEncodingThatFits(DataType type) throws IOException {
    Random random = new Random(1);
    for (Encoding encoding : Encoding.values()) {
      for (Shape shape : Shape.values()) {
        for (Nulls nulls : Nulls.values()) {
          ColumnSchema column =
              column(type).id(7).nullable(nulls != Nulls.NONE).encoding(encoding).build();
          checkRoundTrip(column, ColumnCells.make(type, shape, nulls, 300, random), 1024, random);
        }
      }
    }
  }

  @Test
  void aCellLargerThanAPageHasAPageOfItsOwn() throws IOException {
    ColumnSchema column = ColumnSchema.builder("c", DataType.STRING).id(1).build();
    byte[] large = new byte[100_000];
    new Random(3).nextBytes(large);
    checkRoundTrip(column, List.of(new byte[] {1}, large, new byte[0], large), 4096, new Random(4));
  }

  /** Arrays are stored as bytes, whatever their elements. */
  private static ColumnSchema.Builder column(DataType type) {
    return type == DataType.NESTED
        ? ColumnSchema.arrayBuilder("c", DataType.INT32)
        : ColumnSchema.builder("c", type);
  }

  private static void checkRoundTrip(
      ColumnSchema column, List<byte[]> cells, int pageBytes, Random random) throws IOException {
    try (StorageHarness harness = new StorageHarness()) {
      Path path = harness.path("column");
      ColumnIndex index = write(harness, path, column, cells, pageBytes, random);
      try (SealedFile file =
              SealedFile.open(
                  harness.environment(), harness.allocator(), path, FileKind.BASE_DATA);
          ColumnReader reader = new ColumnReader(file, index, harness.allocator());
          ColumnVector all = new ColumnVector(harness.allocator(), column.type(), true);
          ColumnVector some =
              new ColumnVector(harness.allocator(), column.type(), column.isNullable())) {
        reader.read(0, cells.size(), all);
        assertSame(ColumnCells.of(all), cells);
        for (int i = 0; i < 10; i++) {
          int first = random.nextInt(cells.size());
          int count = random.nextInt(cells.size() - first + 1);
          int kept = some.rowCount();
          reader.read(first, count, some);
          List<byte[]> read = ColumnCells.of(some).subList(kept, kept + count);
          assertSame(read, cells.subList(first, first + count));
        }
        checkStatistics(reader, cells);
      }
    }
  }

  private static ColumnIndex write(
      StorageHarness harness,
      Path path,
      ColumnSchema column,
      List<byte[]> cells,
      int pageBytes,
      Random random)
      throws IOException {
    try (SealedFileWriter file =
            new SealedFileWriter(
                harness.environment(), harness.allocator(), path, FileKind.BASE_DATA);
        ColumnWriter writer = new ColumnWriter(column, file, harness.allocator(), pageBytes);
        ColumnVector vector =
            new ColumnVector(harness.allocator(), column.type(), column.isNullable())) {
      int row = 0;
      while (row < cells.size()) {
        int count = Math.min(cells.size() - row, 1 + random.nextInt(200));
        vector.clear();
        ColumnCells.append(cells, row, count, vector);
        writer.append(vector, 0, count);
        row += count;
      }
      ColumnIndex index = writer.finish();
      file.finish(new byte[0]);
      return index;
    }
  }

  private static void assertSame(List<byte[]> found, List<byte[]> expected) {
    assertThat(found).hasSameSizeAs(expected);
    for (int i = 0; i < expected.size(); i++) {
      if (!Arrays.equals(found.get(i), expected.get(i))) {
        assertThat(found.get(i)).as("row %d", i).isEqualTo(expected.get(i));
      }
    }
  }

  private static void checkStatistics(ColumnReader reader, List<byte[]> cells) {
    long rows = 0;
    for (int page = 0; page < reader.pageCount(); page++) {
      assertThat(reader.firstOrdinal(page)).isEqualTo(rows);
      assertThat(reader.pageOf(rows)).isEqualTo(page);
      int first = (int) rows;
      rows += reader.rowCount(page);
      assertThat(reader.pageOf(rows - 1)).isEqualTo(page);
      long nulls = cells.subList(first, (int) rows).stream().filter(c -> c == null).count();
      assertThat(reader.nullCount(page)).isEqualTo((int) nulls);
      if (nulls == reader.rowCount(page)) {
        assertThat(reader.minimum(page)).isNull();
        assertThat(reader.maximum(page)).isNull();
      }
    }
    assertThat(rows).isEqualTo(cells.size());
  }
}
