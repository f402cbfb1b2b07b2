package dev.kudu4j.tablet.scan.index;

import dev.kudu4j.tablet.components.DiskRowSet;
import dev.kudu4j.tablet.index.IndexFile;
import dev.kudu4j.tablet.scan.predicate.ColumnTest;
import dev.kudu4j.tablet.scan.predicate.PredicateNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.arrow.memory.BufferAllocator;
import org.jspecify.annotations.Nullable;

/**
 * Finds rows of a DiskRowSet in its index files.
 *
 * <p>If one index contains all columns of the scan, its entries can be read instead of the rows.
 * Otherwise the rows are listed by ordinal.
 */
public final class FileIndexSearch extends IndexSearch {
  private final DiskRowSet rowSet;
  private final BufferAllocator allocator;
  private final long from;
  private final long to;
  private @Nullable IndexCost cost; // null until needed

  private FileIndexSearch(
      Query query, DiskRowSet rowSet, BufferAllocator allocator, long from, long to) {
    super(query, Math.toIntExact(rowSet.base().rowCount()));
    this.rowSet = rowSet;
    this.allocator = allocator;
    this.from = from;
    this.to = to;
  }

  /**
   * The rows with an ordinal in {@code [from, to)} that may match; null if a scan of all rows is
   * cheaper or there is no index.
   */
  public static @Nullable IndexedRows find(
      Query query, DiskRowSet rowSet, BufferAllocator allocator, long from, long to)
      throws IOException {
    if (rowSet.onDisk().indexFiles().isEmpty() || query.hint().isNone()) {
      return null;
    }
    FileIndexSearch search = new FileIndexSearch(query, rowSet, allocator, from, to);
    return search.find();
  }

  private @Nullable IndexedRows find() throws IOException {
    List<PredicateNode> conjuncts = query().predicate().conjuncts();
    int indexed = indexedCount(conjuncts);
    if (indexed == 0) {
      return null;
    }
    try (IndexEntries covering = covering(conjuncts)) {
      OrdinalSet changed = covering == null ? null : changedRows(covering.candidates());
      double nanos = Double.MAX_VALUE;
      if (covering != null && changed != null) {
        nanos = cost().entries(covering.candidates(), changed.count());
      }
      boolean other = changed == null || indexed > 1 || nanos > IndexCost.SEARCH;
      long[] listed = other ? listed(nanos) : null;
      addChoices(covering, listed);
      if (listed != null) {
        query().choices().use(used());
        return new IndexedRows.Listed(listed);
      }
      if (covering == null || changed == null) {
        return null;
      }
      query().choices().use(List.of(covering.file().indexId()));
      return new IndexedRows.Entries(
          covering.file(), covering.ranges(), changed.toArray(from, to), from, to);
    }
  }

  private IndexCost cost() {
    if (cost == null) {
      cost = new IndexCost(query(), rowSet, from, to);
    }
    return cost;
  }

  private void addChoices(@Nullable IndexEntries covering, long @Nullable [] listed)
      throws IOException {
    long entries = covering == null ? rows() : covering.candidates();
    query().choices().addScan(cost().scan(listed == null ? entries : listed.length));
    if (covering != null) {
      double nanos = cost().entries(covering.candidates(), 0);
      estimate(covering.file().indexId(), count(covering), nanos);
    }
    addEstimates();
  }

  /**
   * The ordinals that may match, if they are few enough.
   *
   * @param alternative the time of another way
   */
  private long @Nullable [] listed(double alternative) throws IOException {
    int max = isForced() ? rows() : cost().maxListed();
    OrdinalSet found = search((int) Math.min(max, alternative / rowNanos(1)));
    if (found == null
        || !ChangedRows.addTo(found, rowSet, query().snapshot(), tested(), false, max())) {
      return null;
    }
    found.sort(rows());
    long[] listed = found.toArray(from, to);
    return isForced() || cost().isListedCheap(listed.length) ? listed : null;
  }

  @Override
  double rowNanos(long count) {
    return IndexCost.listed(count, query().columnCount());
  }

  /**
   * The entries of the index that contains all columns of the scan and has the smallest range; null
   * if there is none.
   */
  private @Nullable IndexEntries covering(List<PredicateNode> conjuncts) throws IOException {
    if (!query().anyOrder() || rowSet.base().maxInsertTimestamp() >= query().snapshot()) {
      return null;
    }
    IndexEntries best = null;
    for (IndexFile file : rowSet.onDisk().indexFiles()) {
      ColumnTest test = covers(file) ? firstTest(file, conjuncts) : null;
      if (test == null) {
        continue;
      }
      IndexEntries entries = new IndexEntries(query(), allocator, file, test);
      boolean better = best == null || entries.candidates() < best.candidates();
      IndexEntries worse = better ? best : entries;
      best = better ? entries : best;
      if (worse != null) {
        worse.close();
      }
    }
    return best;
  }

  /** Whether the index may be used and has all columns of the scan. */
  private boolean covers(IndexFile file) {
    boolean all = query().hint().allows(file.indexId());
    for (int column = 0; column < query().columnCount() && all; column++) {
      all = file.hasColumn(query().columns().apply(column).id());
    }
    return all;
  }

  private @Nullable ColumnTest firstTest(IndexFile file, List<PredicateNode> conjuncts) {
    for (PredicateNode conjunct : conjuncts) {
      ColumnTest test = conjunct.asColumnTest();
      if (test != null && query().columnId(test) == file.indexedColumns().get(0)) {
        return test;
      }
    }
    return null;
  }

  /**
   * The rows that must be read from base data if entries are read instead of all others; null if
   * entries are too expensive.
   */
  private @Nullable OrdinalSet changedRows(long entries) throws IOException {
    int max = isForced() ? rows() : cost().maxChanged(entries);
    OrdinalSet changed = new OrdinalSet();
    List<Integer> columns = new ArrayList<>();
    for (int column = 0; column < query().columnCount(); column++) {
      columns.add(query().columns().apply(column).id());
    }
    if (max < 0 || !ChangedRows.addTo(changed, rowSet, query().snapshot(), columns, true, max)) {
      return null;
    }
    changed.sort(rows());
    return isForced() || cost().isEntriesCheap(entries, changed.count()) ? changed : null;
  }

  @Override
  boolean isIndexed(int columnId) {
    return indexOf(columnId) != null;
  }

  /** The index to use for a column: the one with the most columns. */
  private @Nullable IndexFile indexOf(int columnId) {
    IndexFile best = null;
    for (IndexFile file : rowSet.onDisk().indexFiles()) {
      boolean fits =
          file.indexedColumns().get(0) == columnId && query().hint().allows(file.indexId());
      if (fits && (best == null || file.columns().size() > best.columns().size())) {
        best = file;
      }
    }
    return best;
  }

  @Override
  Found entries(ColumnTest test, List<PredicateNode> conjuncts, int limit) throws IOException {
    IndexFile file = indexOf(query().columnId(test));
    assert file != null : "the column is indexed";
    List<ColumnTest> others = others(file, test, conjuncts);
    try (IndexEntries entries = new IndexEntries(query(), allocator, file, test)) {
      OrdinalSet found = new OrdinalSet();
      // Tests of other columns may drop many entries, so more of them are worth reading.
      long maxCertain = others.isEmpty() ? limit : Math.max(limit, rows() >>> 3);
      boolean few = entries.certain() <= maxCertain && entries.possible() <= rows() >>> 2;
      if (limit == 0 || !(isForced() || few) || !entries.collect(others, found, limit)) {
        return new Found(file.indexId(), null, count(entries), Set.of());
      }
      Set<Integer> tested = new HashSet<>();
      tested.add(query().columnId(test));
      others.forEach(other -> tested.add(query().columnId(other)));
      return new Found(file.indexId(), found, found.count(), tested);
    }
  }

  @Override
  long minEntries(ColumnTest test, List<PredicateNode> conjuncts) {
    IndexFile file = indexOf(query().columnId(test));
    assert file != null : "the column is indexed";
    try (IndexEntries entries = new IndexEntries(query(), allocator, file, test)) {
      // Tests of other columns of the index may drop most entries.
      return others(file, test, conjuncts).isEmpty() ? entries.certain() : entries.certain() >>> 3;
    }
  }

  @Override
  double scanNanos() {
    return cost().scan(rows());
  }

  private long count(IndexEntries entries) throws IOException {
    return query().hint().explained() ? entries.count() : entries.estimate();
  }

  /** The conjuncts that test other columns of the index. */
  private List<ColumnTest> others(IndexFile file, ColumnTest first, List<PredicateNode> conjuncts) {
    List<ColumnTest> others = new ArrayList<>();
    for (PredicateNode conjunct : conjuncts) {
      ColumnTest other = conjunct.asColumnTest();
      if (other != null && other != first && file.hasColumn(query().columnId(other))) {
        others.add(other);
      }
    }
    return others;
  }
}
