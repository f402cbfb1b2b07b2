package dev.kudu4j.tablet.cfile;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kudu4j.common.schema.ColumnSchema;
import dev.kudu4j.common.schema.DataType;
import dev.kudu4j.common.schema.Encoding;
import dev.kudu4j.tablet.batch.ColumnVector;
import dev.kudu4j.tablet.env.StorageHarness;
import dev.kudu4j.tablet.file.FileKind;
import dev.kudu4j.tablet.file.SealedFile;
import dev.kudu4j.tablet.file.SealedFileWriter;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.IntFunction;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Pages have a dictionary only while values repeat. */
class DictionaryFallbackTest {
  private static final int PAGE_BYTES = 4096;
  private static final int ROWS = 5000; // of each part

  @ParameterizedTest
  @EnumSource(
      value = Encoding.class,
      names = {"AUTO", "DICTIONARY"})
  void pagesHaveNoDictionaryWhereValuesDoNotRepeat(Encoding encoding) throws IOException {
    Random random = new Random(3);
    List<byte[]> cells = new ArrayList<>();
    add(cells, row -> "city of " + random.nextInt(20));
    add(cells, row -> Long.toString(random.nextLong(), 36));
    add(cells, row -> "city of " + random.nextInt(20));
    List<String> encodings = encodings(encoding, cells);

    assertThat(encodings.subList(0, 5)).containsOnly("dictionary");
    int middle = encodings.size() / 2;
    assertThat(encodings.subList(middle - 5, middle + 5)).doesNotContain("dictionary");
    assertThat(encodings.subList(encodings.size() - 3, encodings.size()))
        .containsOnly("dictionary");
  }

  private static void add(List<byte[]> cells, IntFunction<String> text) {
    for (int row = 0; row < ROWS; row++) {
      cells.add(text.apply(row).getBytes(UTF_8));
    }
  }

  /** Writes and reads the cells, and returns how each page is encoded. */
  private static List<String> encodings(Encoding encoding, List<byte[]> cells) throws IOException {
    ColumnSchema column =
        ColumnSchema.builder("c", DataType.STRING).id(1).encoding(encoding).build();
    try (StorageHarness harness = new StorageHarness();
        ColumnVector vector = new ColumnVector(harness.allocator(), DataType.STRING, false)) {
      Path path = harness.path("column");
      ColumnIndex index;
      try (SealedFileWriter file =
              new SealedFileWriter(
                  harness.environment(), harness.allocator(), path, FileKind.BASE_DATA);
          ColumnWriter writer = new ColumnWriter(column, file, harness.allocator(), PAGE_BYTES)) {
        ColumnCells.append(cells, 0, cells.size(), vector);
        writer.append(vector, 0, cells.size());
        index = writer.finish();
        file.finish(new byte[0]);
      }
      List<String> encodings = new ArrayList<>();
      try (SealedFile file =
              SealedFile.open(
                  harness.environment(), harness.allocator(), path, FileKind.BASE_DATA);
          ColumnReader reader = new ColumnReader(file, index, harness.allocator())) {
        vector.clear();
        reader.read(0, cells.size(), vector);
        assertThat(ColumnCells.of(vector)).containsExactlyElementsOf(cells);
        for (int page = 0; page < reader.pageCount(); page++) {
          encodings.add(reader.encodingName(page));
        }
      }
      return encodings;
    }
  }
}
