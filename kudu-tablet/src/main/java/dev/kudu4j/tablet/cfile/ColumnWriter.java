package dev.kudu4j.tablet.cfile;

import dev.kudu4j.common.memory.Memory;
import dev.kudu4j.common.schema.ColumnSchema;
import dev.kudu4j.tablet.batch.ColumnVector;
import dev.kudu4j.tablet.file.BlockKind;
import dev.kudu4j.tablet.file.BlockLocation;
import dev.kudu4j.tablet.file.SealedFileWriter;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;

/**
 * Writes one column: buffers rows until a page is full, encodes the page, and records its location.
 * Pages of several columns may alternate in the file. Not thread-safe.
 */
public final class ColumnWriter implements AutoCloseable {
  private static final int MIN_PAGE_BYTES = 64;
  private static final int MAX_PAGE_BYTES = 4 << 20;

  /** Limits pages whose cells take no space, such as empty strings. */
  private static final int MAX_PAGE_ROWS = 1 << 18;

  /** Large pages end at a multiple of this row count, which aligns the pages of several columns. */
  private static final int ALIGNED_ROWS = 1024;

  private final ColumnSchema column;
  private final SealedFileWriter file;
  private final int pageBytes;
  private final int pageRows;
  private final ColumnVector staged;
  private final PageBuilder page;
  private final EncodingChooser choice;
  private final List<ColumnIndex.Page> pages = new ArrayList<>();
  private long plainBytes; // of all pages
  private long storedBytes;

  /**
   * @param file receives the pages; not closed by the writer
   * @param allocator not closed by the writer
   * @param pageBytes the target size of a page's cells; the column's block size overrides it
   */
  public ColumnWriter(
      ColumnSchema column, SealedFileWriter file, BufferAllocator allocator, int pageBytes) {
    this.column = column;
    this.file = file;
    int wanted = column.blockSizeBytes() > 0 ? column.blockSizeBytes() : pageBytes;
    this.pageBytes = Math.max(MIN_PAGE_BYTES, Math.min(wanted, MAX_PAGE_BYTES));
    int width = column.type().width();
    this.pageRows = width == 0 ? MAX_PAGE_ROWS : pageRows(this.pageBytes, width);
    this.staged = new ColumnVector(allocator, column.type(), column.isNullable());
    this.page = new PageBuilder(allocator);
    this.choice = new EncodingChooser(column);
  }

  /** Appends the rows {@code [first, first + count)} of the vector; keeps no reference to it. */
  public void append(ColumnVector cells, int first, int count) throws IOException {
    int row = first;
    int end = first + count;
    while (row < end) {
      int fits = fits(cells, row, end);
      staged.appendRange(cells, row, fits);
      row += fits;
      if (isFull()) {
        writePage();
      }
    }
  }

  /** The number of rows that fit into the current page; at least one. */
  private int fits(ColumnVector cells, int row, int end) {
    int max = Math.min(end - row, MAX_PAGE_ROWS - staged.rowCount());
    int width = column.type().width();
    if (width > 0) {
      return Math.min(max, pageRows - staged.rowCount());
    }
    long bytes = stagedBytes();
    int rows = 0;
    do {
      bytes += 4L + cells.cellLength(row + rows);
      rows++;
    } while (rows < max && !isFull(staged.rowCount() + rows, bytes));
    return rows;
  }

  private boolean isFull() {
    return column.type().isVariableLength()
        ? isFull(staged.rowCount(), stagedBytes())
        : staged.rowCount() == pageRows;
  }

  /** Whether a page of text is full. */
  private boolean isFull(int rows, long bytes) {
    return rows >= MAX_PAGE_ROWS
        || (bytes >= pageBytes && (rows % ALIGNED_ROWS == 0 || bytes >= pageBytes / 4 * 5L));
  }

  /** The row count of a page with fixed-width cells; large pages are aligned to scan blocks. */
  private static int pageRows(int pageBytes, int width) {
    int rows = Math.max(1, Math.min(MAX_PAGE_ROWS, pageBytes / width));
    return rows < ALIGNED_ROWS ? rows : rows - rows % ALIGNED_ROWS;
  }

  private long stagedBytes() {
    return staged.rowCount() == 0 ? 0 : (long) staged.dataBytes() + staged.varlenBytes();
  }

  private void writePage() throws IOException {
    PageStatistics statistics = PageStatistics.of(staged);
    int rows = staged.rowCount();
    int nulls = statistics.nullCount();
    page.clear();
    long header = page.appendZeros(PageFormat.HEADER_BYTES);
    int layout =
        nulls == 0 ? PageFormat.NO_NULLS : nulls == rows ? PageFormat.ALL_NULL : PageFormat.BITMAP;
    Memory.putByte(header + 1, (byte) layout);
    Memory.putInt(header + 4, rows);
    Memory.putInt(header + 8, nulls);
    if (layout == PageFormat.BITMAP) {
      appendBitmap(rows);
      if (!column.type().isVariableLength()) {
        fillNulls(staged);
      }
    }
    int minSavingPercent = SealedFileWriter.NEVER;
    if (layout != PageFormat.ALL_NULL) {
      PageEncoding used = choice.encode(staged, page);
      Memory.putByte(page.address(), (byte) used.number());
      minSavingPercent = choice.minSavingPercent(used);
    }
    BlockLocation location =
        file.append(
            BlockKind.COLUMN_PAGE, page.address(), page.bytes(), choice.codec(), minSavingPercent);
    pages.add(
        new ColumnIndex.Page(location, rows, nulls, statistics.minimum(), statistics.maximum()));
    plainBytes += stagedBytes();
    storedBytes += location.bytes();
    staged.clear();
  }

  private void appendBitmap(int rows) {
    int bytes = PageFormat.bitmapBytes(rows);
    long to = page.append(bytes);
    Memory.copy(staged.presenceAddress(), to, bytes);
    if ((rows & 7) != 0) {
      long last = to + bytes - 1;
      Memory.putByte(last, (byte) (Memory.getByte(last) & ((1 << (rows & 7)) - 1)));
    }
  }

  /**
   * Fills the cell of each NULL with the cell of the row before it, and leading NULLs with the
   * first present cell. This lengthens runs. It adds no entry to a dictionary and does not widen
   * the range of the values.
   */
  private static void fillNulls(ColumnVector cells) {
    int width = cells.type().width();
    int rows = cells.rowCount();
    int present = 0;
    while (cells.isNull(present)) {
      present++;
    }
    long last = cells.cellAddress(present);
    for (int row = 0; row < rows; row++) {
      long cell = cells.cellAddress(row);
      if (cells.isNull(row)) {
        Memory.copy(last, cell, width);
      } else {
        last = cell;
      }
    }
  }

  /**
   * Estimates the encoded size of the buffered rows from the compression ratio of earlier pages.
   */
  public long bufferedBytes() {
    return plainBytes == 0
        ? stagedBytes()
        : (long) ((double) stagedBytes() * storedBytes / plainBytes);
  }

  /** Writes the last page and returns the index of all pages. */
  public ColumnIndex finish() throws IOException {
    if (staged.rowCount() > 0) {
      writePage();
    }
    return new ColumnIndex(column, pages);
  }

  @Override
  public void close() {
    staged.close();
    page.close();
  }
}
