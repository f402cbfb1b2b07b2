package dev.kudu4j.tablet.scan.source;

import dev.kudu4j.tablet.batch.ColumnVector;
import dev.kudu4j.tablet.batch.NumberVector;
import dev.kudu4j.tablet.cfile.CellFilter;
import dev.kudu4j.tablet.cfile.CellSum;
import dev.kudu4j.tablet.cfile.ColumnReader;
import dev.kudu4j.tablet.scan.block.PageFilter;
import dev.kudu4j.tablet.scan.block.SelectionBitmap;
import java.io.IOException;
import org.apache.arrow.memory.BufferAllocator;
import org.jspecify.annotations.Nullable;

/**
 * Rows whose cells are in files, column by column, in pages with statistics. A row is known by its
 * position in these files.
 *
 * <p>Pages that the statistics exclude, or in which no row is selected, are not read. Filters and
 * sums run on encoded cells where the encoding allows it.
 */
abstract class PagedSource extends BlockSource {
  /**
   * The maximum number of pages that a block reads of one text column; bounds the size of a block.
   */
  private static final int MAX_TEXT_PAGES = 4;

  private final ColumnReader[] readers;
  private final boolean[] opened;
  private final PageVerdicts verdicts;
  private @Nullable EncodedSum encodedSum; // null if the visitor needs more; set in the first block
  private boolean sumKnown;
  private int maxBlockRows;
  private int nextBlockRows;
  private long position;
  private long end;
  private long blockStart;
  private long bytesRead;

  /**
   * @param shared borrowed scratch memory; if null, the source allocates its own memory
   */
  PagedSource(CompiledScan plan, BufferAllocator allocator, @Nullable BlockMemory shared) {
    super(plan, allocator, shared);
    this.readers = new ColumnReader[plan.columns().count()];
    this.opened = new boolean[readers.length];
    this.verdicts = new PageVerdicts(plan.work(), readers.length);
    this.maxBlockRows = plan.blockRows();
    this.nextBlockRows = plan.firstBlockRows();
  }

  /** Opens a column; null if no file has it. The source closes it. */
  abstract @Nullable ColumnReader open(int columnId);

  /**
   * Sets the rows to read, {@code [first, behind)}.
   *
   * @param blockRows the maximum number of rows of a block
   */
  final void readRows(long first, long behind, int blockRows) {
    position = first;
    end = behind;
    maxBlockRows = blockRows;
    nextBlockRows = Math.min(nextBlockRows, blockRows);
  }

  /** The row that the next block begins with. */
  final long position() {
    return position;
  }

  /** Behind the last row. */
  final long end() {
    return end;
  }

  /** The first row of the block. */
  final long blockStart() {
    return blockStart;
  }

  /**
   * Begins a block at the current position.
   *
   * @return the maximum number of its rows
   */
  final int beginBlock() throws IOException {
    blockStart = position;
    return blockRows();
  }

  /** The next block begins with this row. */
  final void moveTo(long row) {
    position = row;
  }

  @Override
  boolean sumBlock(SelectionBitmap rows, BlockVisitor visitor) throws IOException {
    if (!sumKnown) {
      sumKnown = true;
      encodedSum = EncodedSum.of(plan(), visitor, verdicts);
    }
    boolean all = memory().changes().isEmpty() && rows.count() == rows.rowCount();
    EncodedSum wanted = encodedSum;
    ColumnReader reader = wanted == null || !all ? null : reader(wanted.column());
    CellSum sum =
        wanted == null || reader == null
            ? null
            : wanted.of(reader, blockStart, blockStart + rows.rowCount());
    if (sum == null) {
      return false;
    }
    plan().work().addMatched(sum.rows());
    visitor.add(sum);
    return true;
  }

  /**
   * The number of rows of the next block. Blocks end at multiples of their size, which aligns them
   * with the stripes of packed pages.
   */
  private int blockRows() throws IOException {
    int max = nextBlockRows;
    nextBlockRows = (int) Math.min((long) CompiledScan.GROWTH * max, maxBlockRows);
    long rows = Math.min(max - position % max, end - position);
    for (int column = 0; column < readers.length; column++) {
      ColumnReader reader = reader(column);
      if (rows > 64 && reader != null && reader.column().type().isVariableLength()) {
        int page = reader.pageOf(position);
        rows = Math.min(rows, Math.max(64L, (long) MAX_TEXT_PAGES * reader.rowCount(page)));
      }
    }
    return (int) rows;
  }

  /** The reader of a column; null if no file has the column, because the column was added later. */
  final @Nullable ColumnReader reader(int column) {
    if (!opened[column]) {
      opened[column] = true;
      ColumnReader reader = open(plan().columns().column(column).id());
      readers[column] = reader;
      if (reader != null) {
        reader.countInto(plan().work().reads());
        plan().work().addPages(reader.pageCount());
      }
    }
    return readers[column];
  }

  @Override
  public boolean prune(int column, PageFilter pageFilter, SelectionBitmap rows) {
    ColumnReader reader = reader(column);
    if (reader == null) {
      return false;
    }
    ChangeOverlay changes = memory().changes();
    boolean touched = changes.touches(column);
    long[] kept = touched ? changes.overridden(column) : null;
    boolean certain = !touched;
    int row = rows.next(0);
    while (row >= 0) {
      int page = reader.pageOf(blockStart + row);
      int pageEnd = pageEnd(reader, page, rows.rowCount());
      PageFilter.Verdict verdict =
          pageFilter.judge(
              reader.rowCount(page),
              reader.nullCount(page),
              reader.minimum(page),
              reader.maximum(page));
      verdicts.count(column, page, pageFilter, verdict);
      if (verdict == PageFilter.Verdict.NONE) {
        rows.clearRange(row, pageEnd, kept);
      } else if (verdict == PageFilter.Verdict.SOME) {
        certain = false;
      }
      row = rows.next(pageEnd);
    }
    return certain;
  }

  @Override
  public boolean filter(int column, CellFilter cellFilter, SelectionBitmap rows)
      throws IOException {
    ColumnReader reader = encoded(column);
    if (reader == null) {
      return false;
    }
    ChangeOverlay changes = memory().changes();
    if (!changes.touches(column)) {
      return filterPages(reader, cellFilter, rows);
    }
    long[] changed = memory().changedRows();
    rows.intersect(changes.overridden(column), changed);
    rows.clearAll(changed);
    boolean evaluated = filterPages(reader, cellFilter, rows);
    if (evaluated) {
      ChangedCells.filter(
          changes, column, cellFilter, memory().entries(column), changed, rows.rowCount());
    }
    rows.addAll(changed);
    return evaluated;
  }

  /**
   * Filters page by page. Returns false if the encoding of a page does not support the filter; the
   * caller must then filter the decoded cells.
   */
  private boolean filterPages(ColumnReader reader, CellFilter cellFilter, SelectionBitmap rows)
      throws IOException {
    int row = rows.next(0);
    while (row >= 0) {
      int page = reader.pageOf(blockStart + row);
      int from = (int) Math.max(0, reader.firstOrdinal(page) - blockStart);
      int pageEnd = pageEnd(reader, page, rows.rowCount());
      long[] bits = memory().bits();
      rows.slice(from, pageEnd, bits);
      if (!reader.filter(blockStart + from, pageEnd - from, cellFilter, bits)) {
        return false;
      }
      rows.retainRange(from, pageEnd, bits);
      row = rows.next(pageEnd);
    }
    return true;
  }

  /** The column's reader if the column's cells of this block are not decoded yet; else null. */
  private @Nullable ColumnReader encoded(int column) {
    return memory().isLoaded(column) ? null : reader(column);
  }

  @Override
  public void readNumbers(int column, int from, int count, NumberVector out) throws IOException {
    ColumnReader reader = encoded(column);
    out.clear(NumberVector.kindOf(plan().columns().column(column).type()));
    if (reader == null || !reader.readNumbers(blockStart + from, count, out)) {
      super.readNumbers(column, from, count, out);
    } else if (memory().changes().touches(column)) {
      memory().changes().applyTo(column, from, out);
    }
  }

  @Override
  public void pickNumbers(int column, int from, int[] rows, int count, NumberVector out)
      throws IOException {
    ColumnReader reader = encoded(column);
    out.clear(NumberVector.kindOf(plan().columns().column(column).type()));
    if (reader == null || !reader.pickNumbers(blockStart + from, rows, count, out)) {
      super.pickNumbers(column, from, rows, count, out);
    } else if (memory().changes().touches(column)) {
      memory().changes().applyTo(column, from, rows, out);
    }
  }

  @Override
  public boolean readCodes(int column, int from, int count, Dictionary dictionary, int[] codes)
      throws IOException {
    ColumnReader reader = encoded(column);
    if (reader == null
        || memory().changes().touches(column)
        || !reader.readCodes(blockStart + from, count, codes)) {
      return false;
    }
    if (!dictionary.isOf(reader, reader.currentPage())) {
      ColumnVector entries = memory().entries(column);
      entries.clear();
      reader.readEntries(entries);
      dictionary.load(reader, reader.currentPage(), entries);
    }
    return true;
  }

  /** The block's row at which a page ends, at most the end of the block. */
  private int pageEnd(ColumnReader reader, int page, int rowCount) {
    long behind = reader.firstOrdinal(page) + reader.rowCount(page) - blockStart;
    return (int) Math.min(behind, rowCount);
  }

  @Override
  void load(int column, int from, int to, ColumnVector cells) throws IOException {
    ColumnReader reader = reader(column);
    if (reader == null) {
      appendDefault(column, to - from, cells);
    } else {
      read(reader, from, to, cells);
    }
    ChangeOverlay changes = memory().changes();
    if (changes.touches(column)) {
      changes.applyTo(column, from, to, cells, 0);
    }
  }

  private void read(ColumnReader reader, int from, int to, ColumnVector cells) throws IOException {
    long before = cells.bytes();
    reader.read(blockStart + from, to - from, cells);
    bytesRead += cells.bytes() - before;
    plan().work().addDecoded(to - from);
  }

  /** Reads page by page and skips pages without a selected row. */
  @Override
  void appendSelected(int column, SelectionBitmap rows, int selected, ColumnVector out)
      throws IOException {
    ColumnReader reader = reader(column);
    if (reader == null && !memory().changes().touches(column)) {
      appendDefault(column, selected, out);
      return;
    }
    int from = rows.next(0);
    while (from >= 0) {
      int pageEnd =
          reader == null
              ? rows.rowCount()
              : pageEnd(reader, reader.pageOf(blockStart + from), rows.rowCount());
      appendPart(column, rows, from, rows.previous(pageEnd) + 1, out);
      from = rows.next(pageEnd);
    }
  }

  private void appendPart(int column, SelectionBitmap rows, int from, int to, ColumnVector out)
      throws IOException {
    boolean touched = memory().changes().touches(column);
    boolean direct = !touched && rows.count(from, to) == to - from;
    ColumnReader reader = reader(column);
    if (direct && reader != null) {
      read(reader, from, to, out);
      return;
    }
    ColumnVector scratch = memory().vector(column);
    scratch.clear();
    load(column, from, to, scratch);
    rows.slice(from, to, memory().bits());
    out.appendSelected(scratch, memory().bits(), to - from);
  }

  @Override
  public long bytesRead() {
    return bytesOfReaders();
  }

  private long bytesOfReaders() {
    long bytes = bytesRead;
    for (ColumnReader reader : readers) {
      bytes += reader == null ? 0 : reader.encodedBytes();
    }
    return bytes;
  }

  @Override
  public void close() {
    bytesRead = bytesOfReaders();
    super.close();
    for (int i = 0; i < readers.length; i++) {
      if (readers[i] != null) {
        readers[i].close();
        readers[i] = null;
      }
    }
  }
}
