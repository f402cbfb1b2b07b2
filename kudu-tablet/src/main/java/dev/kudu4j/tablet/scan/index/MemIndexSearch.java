package dev.kudu4j.tablet.scan.index;

import dev.kudu4j.common.memory.Memory;
import dev.kudu4j.tablet.batch.ColumnVector;
import dev.kudu4j.tablet.memrowset.MemRow;
import dev.kudu4j.tablet.memrowset.MemRowSet;
import dev.kudu4j.tablet.memrowset.SortedColumn;
import dev.kudu4j.tablet.memrowset.SortedRun;
import dev.kudu4j.tablet.scan.block.PageFilter;
import dev.kudu4j.tablet.scan.block.SelectionBitmap;
import dev.kudu4j.tablet.scan.predicate.ColumnTest;
import dev.kudu4j.tablet.scan.predicate.PredicateNode;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.apache.arrow.memory.BufferAllocator;
import org.jspecify.annotations.Nullable;

/**
 * Finds rows of a MemRowSet in its sorted columns. Rows are numbered by their arrival. Those that
 * arrived after the last run are tested one by one, and all rows with a change are added.
 */
public final class MemIndexSearch extends IndexSearch {
  private static final int MAX_SLICE_ROWS = 1024;

  private final MemRowSet rowSet;
  private final BufferAllocator allocator;
  private final int sliceRows;
  private final SelectionBitmap selected;

  private MemIndexSearch(Query query, MemRowSet rowSet, BufferAllocator allocator, int rows) {
    super(query, rows);
    this.rowSet = rowSet;
    this.allocator = allocator;
    this.sliceRows = Math.min(MAX_SLICE_ROWS, query.blockRows());
    this.selected = new SelectionBitmap(sliceRows);
  }

  /**
   * The addresses of the rows that may match, by key; null if a scan of all rows is cheaper or
   * there is no index.
   */
  public static long @Nullable [] find(Query query, MemRowSet rowSet, BufferAllocator allocator)
      throws IOException {
    int rows = rowSet.arrivalCount();
    if (rows == 0 || query.hint().isNone()) {
      return null;
    }
    return new MemIndexSearch(query, rowSet, allocator, rows).find();
  }

  private long @Nullable [] find() throws IOException {
    if (indexedCount(query().predicate().conjuncts()) == 0) {
      return null;
    }
    int limit = isForced() ? rows() : MemCost.maxRows(rows(), query().columnCount());
    int changed = rowSet.changedCount();
    OrdinalSet found = isForced() || changed <= limit ? search(limit) : null;
    boolean few = found != null && (isForced() || found.count() + changed <= limit);
    query().choices().addScan(MemCost.scan(rows()));
    addEstimates();
    if (found == null || !few) {
      return null;
    }
    query().choices().use(used());
    return addresses(found, changed);
  }

  @Override
  double rowNanos(long count) {
    return MemCost.found(count, query().columnCount());
  }

  private long[] addresses(OrdinalSet found, int changed) {
    long[] arrivals = found.toArray(0, rows());
    long[] addresses = Arrays.copyOf(arrivals, arrivals.length + changed);
    for (int i = 0; i < arrivals.length; i++) {
      addresses[i] = rowSet.arrival((int) arrivals[i]);
    }
    for (int i = 0; i < changed; i++) {
      addresses[arrivals.length + i] = rowSet.changedRow(i);
    }
    sortByKey(addresses);
    int kept = 0;
    for (int i = 0; i < addresses.length; i++) {
      if (i == 0 || addresses[i] != addresses[kept - 1]) {
        addresses[kept++] = addresses[i];
      }
    }
    return Arrays.copyOf(addresses, kept);
  }

  /** Merges ever longer sorted pieces. */
  private static void sortByKey(long[] rows) {
    long[] from = rows;
    long[] to = new long[rows.length];
    for (int size = 1; size < rows.length; size *= 2) {
      for (int start = 0; start < rows.length; start += 2 * size) {
        merge(from, to, start, size);
      }
      long[] other = from;
      from = to;
      to = other;
    }
    if (from != rows) {
      System.arraycopy(from, 0, rows, 0, rows.length);
    }
  }

  private static void merge(long[] from, long[] to, int start, int size) {
    int middle = Math.min(from.length, start + size);
    int end = Math.min(from.length, start + 2 * size);
    int left = start;
    int right = middle;
    for (int i = start; i < end; i++) {
      boolean takesLeft =
          left < middle && (right == end || compareKeys(from[left], from[right]) <= 0);
      to[i] = takesLeft ? from[left++] : from[right++];
    }
  }

  private static int compareKeys(long row, long other) {
    return Memory.compare(
        MemRow.keyAddress(row),
        MemRow.keyLength(row),
        MemRow.keyAddress(other),
        MemRow.keyLength(other));
  }

  @Override
  boolean isIndexed(int columnId) {
    SortedColumn column = rowSet.sorted(columnId);
    return column != null && column.indexIds().stream().anyMatch(query().hint()::allows);
  }

  @Override
  Found entries(ColumnTest filter, List<PredicateNode> conjuncts, int limit) {
    SortedColumn column = rowSet.sorted(query().columnId(filter));
    assert column != null : "the column is indexed";
    int index = column.indexIds().stream().filter(query().hint()::allows).findFirst().orElseThrow();
    List<SortedRun> runs = column.runs(allocator);
    if (limit == 0) {
      return new Found(index, null, estimate(runs, filter), Set.of());
    }
    OrdinalSet found = new OrdinalSet();
    try (ColumnVector cells = column.newVector(allocator)) {
      for (SortedRun run : runs) {
        if (!collect(run, column, filter, cells, found, limit)) {
          return new Found(index, null, estimate(runs, filter), Set.of());
        }
      }
      for (int first = SortedColumn.end(runs); first < rows(); first += sliceRows) {
        int start = first;
        filter(column, filter, cells, Math.min(sliceRows, rows() - first), i -> start + i, found);
        if (found.count() > limit) {
          return new Found(index, null, estimate(runs, filter), Set.of());
        }
      }
    }
    return new Found(index, found, found.count(), Set.of(query().columnId(filter)));
  }

  @Override
  long minEntries(ColumnTest test, List<PredicateNode> conjuncts) {
    SortedColumn column = rowSet.sorted(query().columnId(test));
    assert column != null : "the column is indexed";
    return estimate(column.runs(allocator), test);
  }

  @Override
  double scanNanos() {
    return MemCost.scan(rows());
  }

  /** The number of matching rows, by the pages of the runs. */
  private long estimate(List<SortedRun> runs, ColumnTest filter) {
    long matching = 0;
    for (SortedRun run : runs) {
      for (int page = 0; page < run.pageCount(); page++) {
        int count = run.rowCount(page);
        matching +=
            switch (filter.judge(
                count, run.nullCount(page), run.minimum(page), run.maximum(page))) {
              case NONE -> 0;
              case SOME -> count / 2;
              case ALL -> count;
            };
      }
    }
    int sorted = SortedColumn.end(runs);
    return sorted == 0 ? rows() / 2 : matching * rows() / sorted;
  }

  private boolean collect(
      SortedRun run,
      SortedColumn column,
      ColumnTest filter,
      ColumnVector cells,
      OrdinalSet found,
      int limit) {
    for (int page = 0; page < run.pageCount(); page++) {
      int count = run.rowCount(page);
      int first = run.firstEntry(page);
      PageFilter.Verdict verdict =
          filter.judge(count, run.nullCount(page), run.minimum(page), run.maximum(page));
      if (verdict == PageFilter.Verdict.ALL) {
        for (int i = 0; i < count; i++) {
          add(run.arrival(first + i), found);
        }
      } else if (verdict == PageFilter.Verdict.SOME) {
        for (int done = 0; done < count; done += sliceRows) {
          int start = first + done;
          int some = Math.min(sliceRows, count - done);
          filter(column, filter, cells, some, i -> run.arrival(start + i), found);
        }
      }
      if (found.count() > limit) {
        return false;
      }
    }
    for (int arrival : run.lacking()) {
      add(arrival, found);
    }
    return true;
  }

  /** Adds a row unless it arrived after the search began: the snapshot does not have such rows. */
  private void add(int arrival, OrdinalSet found) {
    if (arrival < rows()) {
      found.add(arrival);
    }
  }

  /** The arrival of a position. */
  @FunctionalInterface
  private interface Arrivals {
    int at(int position);
  }

  /** Adds those of the arrivals whose inserted cells match, or whose layout lacks the column. */
  private void filter(
      SortedColumn column,
      ColumnTest filter,
      ColumnVector cells,
      int count,
      Arrivals arrivals,
      OrdinalSet found) {
    cells.clear();
    int words = SelectionBitmap.wordCount(count);
    selected.selectAll(count);
    long[] bits = selected.words();
    for (int i = 0; i < count; i++) {
      if (!column.append(arrivals.at(i), cells)) {
        add(arrivals.at(i), found);
      }
    }
    filter.filterCells(cells, count, bits);
    for (int word = 0; word < words; word++) {
      for (long left = bits[word]; left != 0; left &= left - 1) {
        add(arrivals.at((word << 6) + Long.numberOfTrailingZeros(left)), found);
      }
    }
  }
}
