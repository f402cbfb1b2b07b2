package dev.kudu4j.tablet.scan.index;

import dev.kudu4j.common.schema.ColumnSchema;
import dev.kudu4j.tablet.batch.ColumnVector;
import dev.kudu4j.tablet.batch.NumberVector;
import dev.kudu4j.tablet.cfile.ColumnReader;
import dev.kudu4j.tablet.components.DiskRowSet;
import dev.kudu4j.tablet.file.BlockReads;
import dev.kudu4j.tablet.index.IndexFile;
import dev.kudu4j.tablet.scan.block.PageFilter;
import dev.kudu4j.tablet.scan.block.SelectionBitmap;
import dev.kudu4j.tablet.scan.predicate.ColumnFilter;
import dev.kudu4j.tablet.scan.predicate.PredicateNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.IntFunction;
import org.apache.arrow.memory.BufferAllocator;
import org.jspecify.annotations.Nullable;

/**
 * Finds the rows of one rowset that may match a predicate in the rowset's index files.
 *
 * <pre>
 *   AND: the rows of one filter with an index, or those that two such filters have in common
 *   OR:  the rows of all filters, if each has an index
 *   then the rows with later or earlier changes of the filtered columns are added
 * </pre>
 *
 * <p>A filter runs on the entries of an index as it runs on a column: page statistics decide, and
 * because entries are sorted, only the pages at the ends of a range need to be read. Of the further
 * columns of the same index, filters drop entries before their rows are read.
 *
 * <p>The rows are a superset of those that match at the snapshot; the scan tests them again. Not
 * thread-safe.
 */
public final class IndexSearch {
  /** The search of a scan in the indexes. */
  public record Query(
      PredicateNode predicate,
      IntFunction<ColumnSchema> columns,
      int blockRows,
      long snapshot,
      IndexUse use,
      BlockReads reads) {}

  /** The maximum number of entries of a slice that is filtered in one step. */
  private static final int SLICE_ROWS = 4096;

  private final Query query;
  private final DiskRowSet rowSet;
  private final BufferAllocator allocator;
  private final int rows;
  private final Set<Integer> used = new HashSet<>(); // ids of the columns whose filters chose rows
  private int max;

  private IndexSearch(Query query, DiskRowSet rowSet, BufferAllocator allocator) {
    this.query = query;
    this.rowSet = rowSet;
    this.allocator = allocator;
    this.rows = Math.toIntExact(rowSet.base().rowCount());
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
    IndexSearch search = new IndexSearch(query, rowSet, allocator);
    search.max = search.maxRows();
    OrdinalSet found = search.conjunction(query.predicate());
    if (found == null
        || found.count() > search.max
        || !ChangedRows.addTo(found, rowSet, query.snapshot(), search.used, search.max)) {
      return null;
    }
    found.sort(search.rows);
    return found.toArray(from, to);
  }

  /** The number of rows beyond which a scan is preferred. */
  private int maxRows() {
    return query.use() == IndexUse.FORCED ? rows : IndexCost.maxRows(query, rowSet, rows);
  }

  /** The rows of the conjuncts with an index; null if there is none, or too many rows. */
  private @Nullable OrdinalSet conjunction(PredicateNode node) throws IOException {
    List<PredicateNode> conjuncts = node.conjuncts();
    OrdinalSet best = null;
    int entries = entryLimit(conjuncts);
    for (PredicateNode conjunct : conjuncts) {
      if (best != null && best.count() <= max >>> 4) {
        break; // few enough to test them all
      }
      OrdinalSet found =
          conjunct.alternatives().size() > 1
              ? union(conjunct, entries)
              : entries(conjunct.asColumnFilter(), conjuncts, entries);
      if (found == null) {
        continue;
      }
      found.sort(rows);
      if (best == null) {
        best = found;
      } else {
        best.retainAll(found);
      }
    }
    return best;
  }

  /** Entries are cheaper than rows, so more of them may be read if two filters have an index. */
  private int entryLimit(List<PredicateNode> conjuncts) {
    long indexed =
        conjuncts.stream()
            .filter(node -> node.alternatives().size() > 1 || indexOf(node) != null)
            .count();
    return indexed > 1 ? Math.max(max, rows >>> 3) : max;
  }

  private @Nullable OrdinalSet union(PredicateNode node, int limit) throws IOException {
    OrdinalSet all = new OrdinalSet();
    for (PredicateNode part : node.alternatives()) {
      OrdinalSet found = null;
      List<PredicateNode> conjuncts = part.conjuncts();
      for (int i = 0; i < conjuncts.size() && found == null; i++) {
        found = entries(conjuncts.get(i).asColumnFilter(), conjuncts, limit);
      }
      if (found == null || all.count() + found.count() > limit) {
        return null;
      }
      all.addAll(found);
    }
    return all;
  }

  private @Nullable IndexFile indexOf(PredicateNode node) {
    ColumnFilter filter = node.asColumnFilter();
    return filter == null ? null : indexOf(columnId(filter));
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

  private int columnId(ColumnFilter filter) {
    return query.columns().apply(filter.column()).id();
  }

  // ---------------------------------------------------------------------------------- entries

  /**
   * The rows of the entries that match the filter, and the other conjuncts on columns of the same
   * index.
   *
   * @return null if the filter has no index, or if more than {@code limit} entries may match
   */
  private @Nullable OrdinalSet entries(
      @Nullable ColumnFilter filter, List<PredicateNode> conjuncts, int limit) throws IOException {
    IndexFile file = filter == null ? null : indexOf(columnId(filter));
    if (filter == null || file == null) {
      return null;
    }
    OrdinalSet found = new OrdinalSet();
    try (Entries entries = new Entries(file, filter, others(file, filter, conjuncts))) {
      if (!entries.collect(found, limit)) {
        return null;
      }
    }
    return found;
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
    private final int sliceRows = Math.min(SLICE_ROWS, query.blockRows());
    private final long[] bits = new long[SelectionBitmap.wordCount(sliceRows)];
    private final NumberVector numbers = new NumberVector(sliceRows);

    Entries(IndexFile file, ColumnFilter filter, List<ColumnFilter> otherFilters) {
      this.filter = filter;
      this.keys = open(file, columnId(filter));
      this.ordinals = file.openOrdinals();
      ordinals.countInto(query.reads());
      this.cells = vector(keys);
      used.add(columnId(filter));
      for (ColumnFilter other : otherFilters) {
        ColumnReader reader = open(file, columnId(other));
        others.add(new OtherColumn(other, reader, vector(reader)));
        used.add(columnId(other));
      }
    }

    private ColumnReader open(IndexFile file, int columnId) {
      ColumnReader reader = file.openColumn(columnId);
      assert reader != null : "the index has the column";
      reader.countInto(query.reads());
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
      boolean forced = query.use() == IndexUse.FORCED;
      if (!forced && ((others.isEmpty() && certain > limit) || possible > rows >>> 2)) {
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
      selectAll(count);
      if (!all) {
        filter(keys, filter, cells, first, count);
      }
      for (OtherColumn other : others) {
        if (isEmpty(count)) {
          return;
        }
        evaluate(other.reader, other.filter, other.cells, first, count);
      }
      addSelected(first, count, out);
    }

    private void selectAll(int count) {
      int words = SelectionBitmap.wordCount(count);
      Arrays.fill(bits, 0, words, -1L);
      if ((count & 63) != 0) {
        bits[words - 1] = -1L >>> -count;
      }
    }

    private boolean isEmpty(int count) {
      long any = 0;
      for (int i = 0; i < SelectionBitmap.wordCount(count); i++) {
        any |= bits[i];
      }
      return any == 0;
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
