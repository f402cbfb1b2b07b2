package dev.kudu4j.tablet.scan.index;

import dev.kudu4j.tablet.batch.ColumnVector;
import dev.kudu4j.tablet.batch.NumberVector;
import dev.kudu4j.tablet.cfile.ColumnReader;
import dev.kudu4j.tablet.index.IndexFile;
import dev.kudu4j.tablet.scan.block.PageFilter.Verdict;
import dev.kudu4j.tablet.scan.block.SelectionBitmap;
import dev.kudu4j.tablet.scan.predicate.ColumnFilter;
import dev.kudu4j.tablet.scan.predicate.ColumnTest;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;

/**
 * The entries of an index file that match a test of its first column. Entries are sorted, so
 * statistics decide about all pages but those at the ends of a range. Not thread-safe.
 */
final class IndexEntries implements AutoCloseable {
  /** The maximum number of entries of a slice that is filtered in one step. */
  private static final int SLICE_ROWS = 4096;

  /** The same if text of another column is decoded, whose cells may be large. */
  private static final int TEXT_SLICE_ROWS = 64;

  /** The maximum number of undecided pages that are read just to count their entries. */
  private static final int MAX_COUNTED_PAGES = 4;

  private final IndexSearch.Query query;
  private final BufferAllocator allocator;
  private final IndexFile file;
  private final ColumnTest test;
  private final ColumnReader keys;
  private final ColumnVector cells;
  private final Verdict[] verdicts;
  private final int maxSliceRows;
  private final SelectionBitmap selected;
  private final long[] bits; // its words
  private long certain;
  private long possible;
  private int undecidedPages;

  IndexEntries(
      IndexSearch.Query query, BufferAllocator allocator, IndexFile file, ColumnTest test) {
    this.query = query;
    this.allocator = allocator;
    this.file = file;
    this.test = test;
    this.keys = open(test);
    this.cells = vector(keys);
    this.maxSliceRows = Math.min(SLICE_ROWS, query.blockRows());
    this.selected = new SelectionBitmap(maxSliceRows);
    this.bits = selected.words();
    this.verdicts = new Verdict[keys.pageCount()];
    for (int page = 0; page < verdicts.length; page++) {
      verdicts[page] =
          test.judge(
              keys.rowCount(page), keys.nullCount(page), keys.minimum(page), keys.maximum(page));
      if (verdicts[page] == Verdict.ALL) {
        certain += keys.rowCount(page);
      } else if (verdicts[page] == Verdict.SOME) {
        possible += keys.rowCount(page);
        undecidedPages++;
      }
    }
  }

  private ColumnReader open(ColumnTest other) {
    ColumnReader reader = file.openColumn(query.columns().apply(other.column()).id());
    assert reader != null : "the index has the column";
    reader.countInto(query.reads());
    return reader;
  }

  private ColumnVector vector(ColumnReader reader) {
    return new ColumnVector(allocator, reader.column().type(), reader.column().isNullable());
  }

  IndexFile file() {
    return file;
  }

  /** Entries of pages in which all match. */
  long certain() {
    return certain;
  }

  /** Entries of pages in which some may match. */
  long possible() {
    return possible;
  }

  /** Entries of all pages in which any may match. */
  long candidates() {
    return certain + possible;
  }

  /** The estimated number of matching entries, by statistics alone. */
  long estimate() {
    return certain + possible / 2;
  }

  /** The number of matching entries: exact, unless many pages are undecided. */
  long count() throws IOException {
    if (undecidedPages > MAX_COUNTED_PAGES) {
      return estimate();
    }
    long count = certain;
    for (int page = 0; page < verdicts.length; page++) {
      for (int done = 0; verdicts[page] == Verdict.SOME && done < keys.rowCount(page); ) {
        int rows = Math.min(maxSliceRows, keys.rowCount(page) - done);
        test(keys.firstOrdinal(page) + done, rows);
        count += selected.count();
        done += rows;
      }
    }
    return count;
  }

  /** The first entry and the end of each range of pages that may have matching entries. */
  long[] ranges() {
    long[] ranges = new long[2];
    int count = 0;
    for (int page = 0; page < verdicts.length; page++) {
      if (verdicts[page] == Verdict.NONE) {
        continue;
      }
      long first = keys.firstOrdinal(page);
      if (count == 0 || ranges[count - 1] != first) {
        ranges = Arrays.copyOf(ranges, count + 2);
        ranges[count] = first;
        count += 2;
      }
      ranges[count - 1] = first + keys.rowCount(page);
    }
    return Arrays.copyOf(ranges, count);
  }

  /**
   * Adds the ordinals of the matching entries.
   *
   * @param others tests of other columns of the index, which must match, too
   * @return false if there may be more than {@code limit}
   */
  boolean collect(List<ColumnTest> others, OrdinalSet out, int limit) throws IOException {
    try (Ordinals ordinals = new Ordinals(others)) {
      for (int page = 0; page < verdicts.length; page++) {
        if (verdicts[page] != Verdict.NONE && !collectPage(ordinals, page, out, limit)) {
          return false;
        }
      }
      return true;
    }
  }

  private boolean collectPage(Ordinals ordinals, int page, OrdinalSet out, int limit)
      throws IOException {
    int rows = keys.rowCount(page);
    for (int done = 0; done < rows; done += ordinals.sliceRows) {
      long first = keys.firstOrdinal(page) + done;
      int count = Math.min(ordinals.sliceRows, rows - done);
      if (verdicts[page] == Verdict.ALL) {
        selected.selectAll(count);
      } else {
        test(first, count);
      }
      ordinals.addSelected(first, count, out);
      if (out.count() > limit) {
        return false;
      }
    }
    return true;
  }

  /** Selects the matching entries of a part of a page. */
  private void test(long first, int count) throws IOException {
    selected.selectAll(count);
    filter(keys, test, cells, first, count);
  }

  /** Tests encoded cells of one page if their encoding allows it. */
  private void filter(
      ColumnReader reader, ColumnTest by, ColumnVector decoded, long first, int count)
      throws IOException {
    if (!(by instanceof ColumnFilter filter && reader.filter(first, count, filter, bits))) {
      evaluate(reader, by, decoded, first, count);
    }
  }

  private void evaluate(
      ColumnReader reader, ColumnTest by, ColumnVector decoded, long first, int count)
      throws IOException {
    decoded.clear();
    reader.read(first, count, decoded);
    by.filterCells(decoded, count, bits);
  }

  @Override
  public void close() {
    keys.close();
    cells.close();
  }

  /** Reads the ordinals of selected entries that also pass the tests of other columns. */
  private final class Ordinals implements AutoCloseable {
    private final ColumnReader ordinals;
    private final List<OtherColumn> others = new ArrayList<>();
    private final int sliceRows;
    private final NumberVector numbers;

    Ordinals(List<ColumnTest> tests) {
      this.ordinals = file.openOrdinals();
      ordinals.countInto(query.reads());
      boolean text = false;
      for (ColumnTest other : tests) {
        ColumnReader reader = open(other);
        text |= reader.column().type().isVariableLength();
        others.add(new OtherColumn(other, reader, vector(reader)));
      }
      this.sliceRows = text ? Math.min(TEXT_SLICE_ROWS, maxSliceRows) : maxSliceRows;
      this.numbers = new NumberVector(sliceRows);
    }

    void addSelected(long first, int count, OrdinalSet out) throws IOException {
      for (OtherColumn other : others) {
        if (selected.isEmpty() || other.excludes(first, count)) {
          return;
        }
        // a slice may cover several pages of another column, so its cells are decoded
        evaluate(other.reader, other.test, other.cells, first, count);
      }
      int words = SelectionBitmap.wordCount(count);
      int start = 0;
      while (start < words && bits[start] == 0) {
        start++;
      }
      if (start == words) {
        return;
      }
      int last = words - 1;
      while (bits[last] == 0) {
        last--;
      }
      int from = (start << 6) + Long.numberOfTrailingZeros(bits[start]);
      int to = (last << 6) + 64 - Long.numberOfLeadingZeros(bits[last]);
      numbers.clear(NumberVector.Kind.INTS);
      ordinals.readNumbers(first + from, to - from, numbers);
      for (int word = start; word <= last; word++) {
        for (long left = bits[word]; left != 0; left &= left - 1) {
          int entry = (word << 6) + Long.numberOfTrailingZeros(left);
          out.add((int) numbers.number(entry - from));
        }
      }
    }

    @Override
    public void close() {
      ordinals.close();
      for (OtherColumn other : others) {
        other.reader.close();
        other.cells.close();
      }
    }
  }

  /** A further column of an index, with its test. */
  private record OtherColumn(ColumnTest test, ColumnReader reader, ColumnVector cells) {
    /** Whether statistics show that no entry of a slice matches. */
    boolean excludes(long first, int count) {
      for (int page = reader.pageOf(first);
          page < reader.pageCount() && reader.firstOrdinal(page) < first + count;
          page++) {
        Verdict verdict =
            test.judge(
                reader.rowCount(page),
                reader.nullCount(page),
                reader.minimum(page),
                reader.maximum(page));
        if (verdict != Verdict.NONE) {
          return false;
        }
      }
      return true;
    }
  }
}
