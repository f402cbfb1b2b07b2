package dev.kudu4j.benchmarks.parts;

import dev.kudu4j.common.memory.Memory;
import dev.kudu4j.common.schema.ColumnSchema;
import dev.kudu4j.common.schema.DataType;
import dev.kudu4j.common.schema.Encoding;
import dev.kudu4j.common.schema.Schema;
import dev.kudu4j.tablet.batch.ColumnBatch;
import dev.kudu4j.tablet.batch.ColumnVector;
import dev.kudu4j.tablet.batch.NumberVector;
import dev.kudu4j.tablet.cache.PageCache;
import dev.kudu4j.tablet.cfile.CellFilter;
import dev.kudu4j.tablet.cfile.CellSum;
import dev.kudu4j.tablet.cfile.ColumnReader;
import dev.kudu4j.tablet.env.CrashPoints;
import dev.kudu4j.tablet.env.LocalFileStore;
import dev.kudu4j.tablet.env.TabletEnvironment;
import dev.kudu4j.tablet.env.TabletOptions;
import dev.kudu4j.tablet.memory.Allocators;
import dev.kudu4j.tablet.rowset.ColumnFile;
import dev.kudu4j.tablet.rowset.ColumnFileWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.apache.arrow.memory.BufferAllocator;

/**
 * A column of 256 MB of numbers in cached pages, and its filtered sum. The sum is computed in one
 * of two ways: directly on the encoded pages, as for a query that has only this sum; or on filtered
 * and decoded rows, {@value #STEP} at a time, as for any other query.
 */
final class PageStream implements AutoCloseable {
  private static final int BLOCK = 4096;
  private static final int STEP = 1024;
  private static final int WORDS = STEP / 64;

  private final Path directory;
  private final BufferAllocator allocator = Allocators.root(2L << 30);
  private final PageCache pages = new PageCache(allocator, 1L << 30);
  private final ColumnFile file;
  private final ColumnReader reader;
  private final ColumnVector cells;
  private final NumberVector numbers = new NumberVector(STEP);
  private final boolean floating;
  private final int rows;
  private final long[] wanted = new long[WORDS];
  private final CellSum total = new CellSum();

  private PageStream(DataType type, Encoding encoding, int rows, CellWriter writer)
      throws IOException {
    this.rows = rows;
    this.floating = type == DataType.DOUBLE;
    this.directory = Files.createTempDirectory("kudu-bench-pages");
    TabletEnvironment environment =
        new TabletEnvironment(
            new LocalFileStore(),
            directory,
            allocator,
            pages,
            CrashPoints.NONE,
            new Random(1),
            System::nanoTime,
            TabletOptions.DEFAULT);
    Schema schema =
        new Schema(List.of(ColumnSchema.builder("n", type).id(0).encoding(encoding).build()));
    Path path = directory.resolve("numbers");
    try (ColumnFileWriter out = new ColumnFileWriter(environment, path, schema);
        ColumnBatch batch = new ColumnBatch(allocator, schema)) {
      for (int row = 0; row < rows; row += STEP) {
        batch.clear();
        batch.column(0).reserve(STEP, 0);
        writer.write(row, batch.column(0).dataAddress());
        batch.column(0).advance(STEP, 0);
        batch.setRowCount(STEP);
        out.append(batch);
      }
      out.finish();
    }
    file = ColumnFile.open(environment, path);
    reader = file.openColumn(0);
    cells = new ColumnVector(allocator, type, false);
  }

  /** Writes {@value #STEP} cells to an address. */
  private interface CellWriter {
    void write(int row, long address);
  }

  static PageStream of(long[] values, Encoding encoding) throws IOException {
    return new PageStream(
        DataType.INT64,
        encoding,
        values.length,
        (row, address) -> {
          for (int i = 0; i < STEP; i++) {
            Memory.putLong(address + 8L * i, values[row + i]);
          }
        });
  }

  static PageStream of(double[] values, Encoding encoding) throws IOException {
    return new PageStream(
        DataType.DOUBLE,
        encoding,
        values.length,
        (row, address) -> {
          for (int i = 0; i < STEP; i++) {
            Memory.putLong(address + 8L * i, Double.doubleToRawLongBits(values[row + i]));
          }
        });
  }

  /** The name of the encoding of the pages. */
  String encodingName() throws IOException {
    return reader.encodingName(0);
  }

  /** The sum of the matching integers, computed on the pages if they support it. */
  long sum(CellFilter cellFilter) throws IOException {
    return addUp(cellFilter) ? total.exact().longValue() : sumByRows(cellFilter);
  }

  /** The sum of the matching doubles, computed on the pages if they support it. */
  double floatingSum(CellFilter cellFilter) throws IOException {
    return addUp(cellFilter) ? total.floating() : floatingSumByRows(cellFilter);
  }

  /**
   * Adds the matching numbers to {@code total}, computed on the pages; returns false if their
   * encoding does not support this.
   */
  private boolean addUp(CellFilter cellFilter) throws IOException {
    total.clear();
    int row = 0;
    boolean supported = true;
    while (row < rows && supported) {
      int page = reader.pageOf(row);
      int end = (int) Math.min(row + BLOCK, reader.firstOrdinal(page) + reader.rowCount(page));
      supported = reader.sum(row, end - row, cellFilter, total);
      row = end;
    }
    return supported;
  }

  /**
   * The sum of the matching integers, computed from rows: a bitmap of the matching rows and the
   * decoded numbers, {@value #STEP} rows at a time.
   */
  long sumByRows(CellFilter cellFilter) throws IOException {
    long sum = 0;
    for (int row = 0; row < rows; row += STEP) {
      load(row, cellFilter);
      sum +=
          numbers.kind() == NumberVector.Kind.INTS
              ? sum(numbers.ints(), wanted)
              : sum(numbers.longs(), wanted);
    }
    return sum;
  }

  /** The sum of the matching doubles, computed from rows. */
  double floatingSumByRows(CellFilter cellFilter) throws IOException {
    double sum = 0;
    for (int row = 0; row < rows; row += STEP) {
      load(row, cellFilter);
      sum += sum(numbers.doubles(), wanted);
    }
    return sum;
  }

  /**
   * Determines the matching rows of the {@value #STEP} rows from {@code row} on, and reads the
   * numbers of all of these rows.
   */
  private void load(int row, CellFilter cellFilter) throws IOException {
    Arrays.fill(wanted, -1L);
    numbers.clear(floating ? NumberVector.Kind.DOUBLES : NumberVector.Kind.INTS);
    if (reader.filter(row, STEP, cellFilter, wanted)) {
      reader.readNumbers(row, STEP, numbers);
    } else {
      cells.clear();
      reader.read(row, STEP, cells);
      cellFilter.evaluate(cells, STEP, wanted);
      numbers.append(cells, 0, STEP);
    }
  }

  private static long sum(int[] numbers, long[] wanted) {
    long sum = 0;
    for (int i = 0; i < STEP; i++) {
      sum += numbers[i] & -(wanted[i >>> 6] >>> i & 1);
    }
    return sum;
  }

  private static long sum(long[] numbers, long[] wanted) {
    long sum = 0;
    for (int i = 0; i < STEP; i++) {
      sum += numbers[i] & -(wanted[i >>> 6] >>> i & 1);
    }
    return sum;
  }

  /**
   * Adds up four independent sums, since an addition has to wait for the previous addition to the
   * same sum.
   */
  private static double sum(double[] numbers, long[] wanted) {
    double a = 0;
    double b = 0;
    double c = 0;
    double d = 0;
    for (int i = 0; i < STEP; i += 4) {
      long word = wanted[i >>> 6] >>> i;
      a += kept(numbers[i], word);
      b += kept(numbers[i + 1], word >>> 1);
      c += kept(numbers[i + 2], word >>> 2);
      d += kept(numbers[i + 3], word >>> 3);
    }
    return (a + b) + (c + d);
  }

  /** The number, or zero if the lowest bit of {@code bit} is not set; computed without a branch. */
  private static double kept(double number, long bit) {
    return Double.longBitsToDouble(Double.doubleToRawLongBits(number) & -(bit & 1));
  }

  @Override
  public void close() throws IOException {
    cells.close();
    reader.close();
    file.release();
    pages.close();
    allocator.close();
    Files.deleteIfExists(directory.resolve("numbers"));
    Files.deleteIfExists(directory);
  }
}
