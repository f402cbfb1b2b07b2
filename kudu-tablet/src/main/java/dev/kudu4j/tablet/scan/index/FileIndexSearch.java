package dev.kudu4j.tablet.scan.index;

import dev.kudu4j.tablet.batch.ColumnVector;
import dev.kudu4j.tablet.batch.NumberVector;
import dev.kudu4j.tablet.cfile.ColumnReader;
import dev.kudu4j.tablet.components.DiskRowSet;
import dev.kudu4j.tablet.index.IndexFile;
import dev.kudu4j.tablet.scan.block.PageFilter;
import dev.kudu4j.tablet.scan.block.SelectionBitmap;
import dev.kudu4j.tablet.scan.predicate.ColumnFilter;
import dev.kudu4j.tablet.scan.predicate.PredicateNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.jspecify.annotations.Nullable;

/**
 * Finds rows of a DiskRowSet in its index files.
 *
 * <p>A filter runs on the entries of an index as it runs on a column: page statistics decide, and
 * because entries are sorted, only the pages at the ends of a range need to be read. Of the further
 * columns of the same index, filters drop entries before their rows are read.
 */
public final class FileIndexSearch extends IndexSearch {
  /** The maximum number of entries of a slice that is filtered in one step. */
  private static final int SLICE_ROWS = 4096;

  /** The same if text of another column is decoded, whose cells may be large. */
  private static final int TEXT_SLICE_ROWS = 64;

  private final DiskRowSet rowSet;
  private final BufferAllocator allocator;

  private FileIndexSearch(Query query, DiskRowSet rowSet, BufferAllocator allocator, int rows) {
    super(query, rows);
    this.rowSet = rowSet;
    this.allocator = allocator;
  }

  /**
   * The ordinals in {@code [from, to)} that may match, ascending; null if a scan of all rows is
   * cheaper or there is no index.
   */
  public static long @Nullable [] find(
      Query query, DiskRowSet rowSet, BufferAllocator allocator, long from, long to)
      throws IOException {
    if (rowSet.onDisk().indexFiles().isEmpty() || query.use() == IndexUse.NONE) {
      return null;
    }
    int rows = Math.toIntExact(rowSet.base().rowCount());
    FileIndexSearch search = new FileIndexSearch(query, rowSet, allocator, rows);
    OrdinalSet found = search.search();
    if (found == null
        || !ChangedRows.addTo(found, rowSet, query.snapshot(), search.used(), search.max())) {
      return null;
    }
    found.sort(rows);
    return found.toArray(from, to);
  }

  @Override
  int maxRows() {
    return IndexCost.maxRows(query(), rowSet, rows());
  }

  @Override
  boolean isIndexed(int columnId) {
    return indexOf(columnId) != null;
  }

  private @Nullable IndexFile indexOf(int columnId) {
    IndexFile best = null;
    for (IndexFile file : rowSet.onDisk().indexFiles()) {
      boolean fits = file.indexedColumns().get(0) == columnId;
      if (fits && (best == null || file.columns().size() > best.columns().size())) {
        best = file;
      }
    }
    return best;
  }

  @Override
  @Nullable OrdinalSet entries(ColumnFilter filter, List<PredicateNode> conjuncts, int limit)
      throws IOException {
    IndexFile file = indexOf(columnId(filter));
    assert file != null : "the column is indexed";
    OrdinalSet found = new OrdinalSet();
    try (Entries entries = new Entries(file, filter, others(file, filter, conjuncts))) {
      return entries.collect(found, limit) ? found : null;
    }
  }

  /** The conjuncts that filter other columns of the index. */
  private List<ColumnFilter> others(
      IndexFile file, ColumnFilter first, List<PredicateNode> conjuncts) {
    List<ColumnFilter> others = new ArrayList<>();
    for (PredicateNode conjunct : conjuncts) {
      ColumnFilter other = conjunct.asColumnFilter();
      if (other != null && other != first && file.hasColumn(columnId(other))) {
        others.add(other);
      }
    }
    return others;
  }

  /** The entries of one index file that match a filter of its first column. */
  private final class Entries implements AutoCloseable {
    private final ColumnFilter filter;
    private final ColumnReader keys;
    private final ColumnReader ordinals;
    private final List<OtherColumn> others = new ArrayList<>();
    private final ColumnVector cells;
    private final int sliceRows;
    private final SelectionBitmap selected;
    private final long[] bits; // its words
    private final NumberVector numbers;

    Entries(IndexFile file, ColumnFilter filter, List<ColumnFilter> otherFilters) {
      boolean text =
          otherFilters.stream()
              .anyMatch(other -> query().columns().apply(other.column()).type().isVariableLength());
      this.sliceRows = Math.min(text ? TEXT_SLICE_ROWS : SLICE_ROWS, query().blockRows());
      this.selected = new SelectionBitmap(sliceRows);
      this.bits = selected.words();
      this.numbers = new NumberVector(sliceRows);
      this.filter = filter;
      this.keys = open(file, columnId(filter));
      this.ordinals = file.openOrdinals();
      ordinals.countInto(query().reads());
      this.cells = vector(keys);
      for (ColumnFilter other : otherFilters) {
        ColumnReader reader = open(file, columnId(other));
        others.add(new OtherColumn(other, reader, vector(reader)));
        used().add(columnId(other));
      }
    }

    private ColumnReader open(IndexFile file, int columnId) {
      ColumnReader reader = file.openColumn(columnId);
      assert reader != null : "the index has the column";
      reader.countInto(query().reads());
      return reader;
    }

    private ColumnVector vector(ColumnReader reader) {
      return new ColumnVector(allocator, reader.column().type(), reader.column().isNullable());
    }

    /** Adds the rows; false if there may be more than {@code limit}. */
    boolean collect(OrdinalSet out, int limit) throws IOException {
      PageFilter.Verdict[] verdicts = new PageFilter.Verdict[keys.pageCount()];
      long certain = 0;
      long possible = 0;
      for (int page = 0; page < verdicts.length; page++) {
        verdicts[page] =
            filter.judge(
                keys.rowCount(page), keys.nullCount(page), keys.minimum(page), keys.maximum(page));
        certain += verdicts[page] == PageFilter.Verdict.ALL ? keys.rowCount(page) : 0;
        possible += verdicts[page] == PageFilter.Verdict.SOME ? keys.rowCount(page) : 0;
      }
      boolean forced = isForced();
      long maxCertain = others.isEmpty() ? limit : Math.max(limit, rows() >>> 3);
      if (!forced && (certain > maxCertain || possible > rows() >>> 2)) {
        return false;
      }
      for (int page = 0; page < verdicts.length; page++) {
        if (verdicts[page] != PageFilter.Verdict.NONE
            && !collectPage(page, verdicts[page] == PageFilter.Verdict.ALL, out, limit)) {
          return false;
        }
      }
      return true;
    }

    private boolean collectPage(int page, boolean all, OrdinalSet out, int limit)
        throws IOException {
      long end = keys.firstOrdinal(page) + keys.rowCount(page);
      for (long first = keys.firstOrdinal(page); first < end; first += sliceRows) {
        collectSlice(first, (int) Math.min(sliceRows, end - first), all, out);
        if (out.count() > limit) {
          return false;
        }
      }
      return true;
    }

    private void collectSlice(long first, int count, boolean all, OrdinalSet out)
        throws IOException {
      selected.selectAll(count);
      if (!all) {
        filter(keys, filter, cells, first, count);
      }
      for (OtherColumn other : others) {
        if (selected.isEmpty()) {
          return;
        }
        evaluate(other.reader, other.filter, other.cells, first, count);
      }
      addSelected(first, count, out);
    }

    /** Evaluates the filter on encoded cells of one page if the encoding allows it. */
    private void filter(
        ColumnReader reader, ColumnFilter test, ColumnVector decoded, long first, int count)
        throws IOException {
      if (!reader.filter(first, count, test, bits)) {
        evaluate(reader, test, decoded, first, count);
      }
    }

    private void evaluate(
        ColumnReader reader, ColumnFilter test, ColumnVector decoded, long first, int count)
        throws IOException {
      decoded.clear();
      reader.read(first, count, decoded);
      test.filterCells(decoded, count, bits);
    }

    private void addSelected(long first, int count, OrdinalSet out) throws IOException {
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
      keys.close();
      ordinals.close();
      cells.close();
      for (OtherColumn other : others) {
        other.reader.close();
        other.cells.close();
      }
    }
  }

  /** A further column of an index, with its filter. */
  private record OtherColumn(ColumnFilter filter, ColumnReader reader, ColumnVector cells) {}
}
