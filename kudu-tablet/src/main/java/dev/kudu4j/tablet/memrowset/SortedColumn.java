package dev.kudu4j.tablet.memrowset;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.kudu4j.common.memory.Memory;
import dev.kudu4j.common.schema.DataType;
import dev.kudu4j.tablet.batch.ColumnVector;
import dev.kudu4j.tablet.index.OrdinalSort;
import dev.kudu4j.tablet.memory.AddressLog;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.OutOfMemoryException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The rows of a MemRowSet by the inserted cells of one column, for look-ups of an index. Readers
 * sort: one that finds enough new arrivals sorts them as another run, together with previous runs
 * that are not larger. Thread-safe.
 *
 * <p>Inserted cells never change, so runs stay true. The runs are a cache on the heap. If all of
 * them together exceed a sixteenth of the heap, no more are made, and readers test the arrivals
 * behind the last run one by one.
 */
public final class SortedColumn {
  /** Fewer new arrivals are not worth a run. */
  static final int MIN_RUN_ROWS = 4096;

  /** Bounds the time that a reader sorts. */
  static final int MAX_RUN_ROWS = 1 << 18;

  private static final Logger LOG = LoggerFactory.getLogger(SortedColumn.class);
  private static final long MAX_HEAP_BYTES = Runtime.getRuntime().maxMemory() / 16;
  private static final AtomicLong HEAP_BYTES = new AtomicLong();

  private final MemRowSet rows;
  private final AddressLog arrivals;
  private final List<Integer> indexIds;
  private final int columnId;
  private final DataType type;
  private final ReentrantLock sorting = new ReentrantLock();
  private volatile List<SortedRun> runs = List.of(); // consecutive

  /** By layout, the index of the column; null until a row of the layout was read. */
  private volatile @Nullable Integer[] indexes = new Integer[1];

  @GuardedBy("this")
  private boolean closed;

  /**
   * @param indexIds the indexes that begin with the column
   */
  SortedColumn(
      MemRowSet rows, AddressLog arrivals, List<Integer> indexIds, int columnId, DataType type) {
    this.rows = rows;
    this.arrivals = arrivals;
    this.indexIds = List.copyOf(indexIds);
    this.columnId = columnId;
    this.type = type;
  }

  /** The ids of the indexes that begin with the column. */
  public List<Integer> indexIds() {
    return indexIds;
  }

  /** A vector for {@link #append}; the caller closes it. */
  public ColumnVector newVector(BufferAllocator allocator) {
    return new ColumnVector(allocator, type, true);
  }

  /**
   * Returns the runs, from the first arrival on. Adds a run before if there are enough new arrivals
   * and no other reader is adding one.
   *
   * @param allocator of memory that is released before this method returns
   */
  public List<SortedRun> runs(BufferAllocator allocator) {
    if (arrivals.count() - end(runs) >= MIN_RUN_ROWS && sorting.tryLock()) {
      try {
        sortNew(allocator);
      } finally {
        sorting.unlock();
      }
    }
    return runs;
  }

  /** The first arrival behind the runs. */
  public static int end(List<SortedRun> runs) {
    return runs.isEmpty() ? 0 : runs.get(runs.size() - 1).end();
  }

  private void sortNew(BufferAllocator allocator) {
    List<SortedRun> kept = new ArrayList<>(runs);
    int end = Math.min(arrivals.count(), end(kept) + MAX_RUN_ROWS);
    int start = end(kept);
    long freed = 0;
    if (end - start < MIN_RUN_ROWS) {
      return; // another reader was faster
    }
    while (!kept.isEmpty() && joins(kept.get(kept.size() - 1), start, end)) {
      SortedRun joined = kept.remove(kept.size() - 1);
      start = joined.first();
      freed += bytes(joined);
    }
    long more = SortedRun.heapBytes(end - start) - freed;
    synchronized (this) {
      if (closed || HEAP_BYTES.get() + more > MAX_HEAP_BYTES) {
        return;
      }
      HEAP_BYTES.addAndGet(more);
    }
    boolean sorted = false;
    try {
      kept.add(sort(allocator, start, end));
      runs = List.copyOf(kept);
      sorted = true;
    } catch (OutOfMemoryException e) {
      LOG.debug("No memory to sort {} rows; the scan reads them one by one", end - start, e);
    } finally {
      if (!sorted) {
        HEAP_BYTES.addAndGet(-more);
      }
    }
  }

  private static boolean joins(SortedRun run, int start, int end) {
    return run.end() - run.first() <= end - start && end - run.first() <= MAX_RUN_ROWS;
  }

  private SortedRun sort(BufferAllocator allocator, int start, int end) {
    int count = end - start;
    int[] lacking = new int[4];
    int lackingCount = 0;
    try (ColumnVector cells = newVector(allocator);
        OrdinalSort sort = new OrdinalSort(allocator, count)) {
      for (int arrival = start; arrival < end; arrival++) {
        if (!append(arrival, cells)) {
          if (lackingCount == lacking.length) {
            lacking = Arrays.copyOf(lacking, 2 * lackingCount);
          }
          lacking[lackingCount++] = arrival;
        }
      }
      sort.by(cells);
      int[] order = new int[count];
      int pages = (count + SortedRun.PAGE_ROWS - 1) / SortedRun.PAGE_ROWS;
      int[] nullCounts = new int[pages];
      byte[] @Nullable [] minimums = new byte[pages][];
      byte[] @Nullable [] maximums = new byte[pages][];
      for (int i = 0; i < count; i++) {
        int page = i / SortedRun.PAGE_ROWS;
        int row = sort.ordinal(i);
        order[i] = start + row;
        if (cells.isNull(row)) {
          nullCounts[page]++;
        } else {
          boolean last = i == count - 1 || (i + 1) % SortedRun.PAGE_ROWS == 0;
          minimums[page] = minimums[page] == null ? cell(cells, row) : minimums[page];
          maximums[page] = last ? cell(cells, row) : null;
        }
      }
      return new SortedRun(
          start, order, nullCounts, minimums, maximums, Arrays.copyOf(lacking, lackingCount));
    }
  }

  private static byte[] cell(ColumnVector cells, int row) {
    byte[] cell = new byte[cells.cellLength(row)];
    Memory.copy(cells.cellAddress(row), cell, 0, cell.length);
    return cell;
  }

  /**
   * Appends the inserted cell of an arrival.
   *
   * @return false if the layout of the row does not have the column; a NULL was appended then
   */
  public boolean append(int arrival, ColumnVector out) {
    long row = arrivals.get(arrival);
    int layout = MemRow.layout(row);
    RowFormat format = rows.format(layout);
    int index = indexIn(layout, format);
    if (index < 0 || format.isNull(row, index)) {
      out.appendNull();
      return index >= 0;
    }
    out.append(format.cellAddress(row, index), format.cellLength(row, index));
    return true;
  }

  private int indexIn(int layout, RowFormat format) {
    @Nullable Integer[] known = indexes;
    Integer index = layout < known.length ? known[layout] : null;
    if (index == null) {
      index = format.schema().indexOfId(columnId);
      @Nullable Integer[] more = Arrays.copyOf(known, Math.max(known.length, layout + 1));
      more[layout] = index;
      indexes = more; // a concurrent reader may overwrite it; the index is then found again
    }
    return index;
  }

  /** Gives the memory of the runs back. No reader is left. */
  synchronized void close() {
    if (!closed) {
      closed = true;
      HEAP_BYTES.addAndGet(-runs.stream().mapToLong(SortedColumn::bytes).sum());
      runs = List.of();
    }
  }

  private static long bytes(SortedRun run) {
    return SortedRun.heapBytes(run.end() - run.first());
  }
}
