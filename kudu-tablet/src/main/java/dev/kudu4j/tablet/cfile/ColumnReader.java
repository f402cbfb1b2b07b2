package dev.kudu4j.tablet.cfile;

import dev.kudu4j.common.memory.Memory;
import dev.kudu4j.common.schema.ColumnSchema;
import dev.kudu4j.common.schema.DataType;
import dev.kudu4j.common.schema.LittleEndian;
import dev.kudu4j.tablet.batch.ColumnVector;
import dev.kudu4j.tablet.batch.NumberVector;
import dev.kudu4j.tablet.cache.Page;
import dev.kudu4j.tablet.file.BlockKind;
import dev.kudu4j.tablet.file.BlockReads;
import dev.kudu4j.tablet.file.SealedFile;
import java.io.IOException;
import java.util.Arrays;
import org.apache.arrow.memory.BufferAllocator;
import org.jspecify.annotations.Nullable;

/**
 * Reads one column of a sealed file. A scan creates its own readers, which is cheap. A reader keeps
 * its current page pinned in the page cache and decodes cells from it. The index and the statistics
 * are immutable and shared. Not thread-safe.
 */
public final class ColumnReader implements AutoCloseable {
  private final SealedFile file;
  private final ColumnIndex index;
  private final boolean has64BitIntegers;
  private final @Nullable PageDecoder[] decoders = new PageDecoder[PageEncodings.ALL.size() + 1];

  private final BufferAllocator allocator;
  private @Nullable ColumnVector scratch;
  private @Nullable Page block; // null before the first page
  private int currentPage = -1;
  private int nullLayout;
  private long bitmap;
  private @Nullable PageDecoder decoder; // null before the first page with values
  private long encodedBytes;
  private @Nullable BlockReads reads;
  private int lastNewPage = -1;

  /**
   * @param file not closed by the reader; must stay open as long as the reader
   * @param allocator not closed by the reader
   */
  public ColumnReader(SealedFile file, ColumnIndex index, BufferAllocator allocator) {
    this.file = file;
    this.index = index;
    this.allocator = allocator;
    DataType type = index.column().type();
    this.has64BitIntegers = Cells.areIntegers(type) && type.width() == 8;
  }

  /**
   * Counts the pages from now on.
   *
   * @param counts shared with other readers of the scan
   */
  public void countInto(BlockReads counts) {
    reads = counts;
  }

  /** The column at the time of writing: id, type, nullability. */
  public ColumnSchema column() {
    return index.column();
  }

  public long rowCount() {
    return index.rowCount();
  }

  public int pageCount() {
    return index.pageCount();
  }

  public long firstOrdinal(int page) {
    return index.firstOrdinal(page);
  }

  public int rowCount(int page) {
    return index.rowCount(page);
  }

  /** The number of NULLs in the page. */
  public int nullCount(int page) {
    return index.nullCount(page);
  }

  /**
   * The smallest present cell of the page, in cell form; text may be truncated, so the result may
   * be below the smallest cell. Null if unknown or if all cells are NULL.
   */
  public byte @Nullable [] minimum(int page) {
    return index.minimum(page);
  }

  /**
   * The largest present cell of the page, in cell form; text may be truncated and rounded up, so
   * the result may be above the largest cell. Null if unknown or if all cells are NULL.
   */
  public byte @Nullable [] maximum(int page) {
    return index.maximum(page);
  }

  /** The page that contains the ordinal. */
  public int pageOf(long ordinal) {
    return index.pageOf(ordinal);
  }

  /** The name of a page's encoding, for dumps. Reads the page. */
  public String encodingName(int page) throws IOException {
    load(page);
    return PageEncodings.nameOf(Memory.getByte(block().address()));
  }

  /** The name of a page's encoding with details from its decoder, for dumps. Reads the page. */
  public String encodingText(int page) throws IOException {
    String name = encodingName(page);
    String details = nullLayout == PageFormat.ALL_NULL ? "" : decoder().details();
    return details.isEmpty() ? name : name + " (" + details + ")";
  }

  /** The size of a page before compression. Reads the page. */
  public int bodyBytes(int page) throws IOException {
    load(page);
    return block().bytes();
  }

  /**
   * Appends the cells {@code [firstOrdinal, firstOrdinal + count)} to the vector. The range may
   * span pages.
   *
   * @throws dev.kudu4j.common.status.KuduException CORRUPTION; the message names the file, the
   *     offset, and what was expected and found
   */
  public void read(long firstOrdinal, int count, ColumnVector out) throws IOException {
    if (count == 0) {
      return;
    }
    if (firstOrdinal < 0 || count < 0 || firstOrdinal + count > rowCount()) {
      throw new IndexOutOfBoundsException(
          "Rows [%d, %d) are outside column %s of %d rows"
              .formatted(firstOrdinal, firstOrdinal + count, column(), rowCount()));
    }
    assert out.type() == column().type() : out.type() + " is not the type of " + column();
    long ordinal = firstOrdinal;
    long end = firstOrdinal + count;
    while (ordinal < end) {
      int page = isCurrent(ordinal) ? currentPage : pageOf(ordinal);
      load(page);
      int first = (int) (ordinal - index.firstOrdinal(page));
      int rows = (int) Math.min(end - ordinal, index.rowCount(page) - first);
      readFromPage(first, rows, out);
      ordinal += rows;
    }
  }

  /**
   * Clears the bits of rows whose cells do not match, without decoding the cells. NULLs never
   * match. All rows must be in one page.
   *
   * @param wanted bit i is row {@code firstOrdinal + i}; bits beyond the last row are clear
   * @return false if the encoding cannot evaluate the filter; nothing has changed then
   */
  public boolean filter(long firstOrdinal, int count, CellFilter cellFilter, long[] wanted)
      throws IOException {
    int first = moveTo(firstOrdinal);
    if (nullLayout == PageFormat.ALL_NULL) {
      Arrays.fill(wanted, 0, (count + 63) >>> 6, 0L);
      return true;
    }
    ColumnVector cells = scratch();
    cells.clear();
    if (!decoder().filter(first, count, cellFilter, wanted, cells)) {
      return false;
    }
    countEncoded(count);
    if (nullLayout == PageFormat.BITMAP) {
      NullCells.retainPresent(bitmap, first, count, wanted);
    }
    return true;
  }

  /**
   * Appends the cells {@code [firstOrdinal, firstOrdinal + count)} as numbers.
   *
   * @return false if one of the pages contains NULLs; the numbers are undefined then
   */
  public boolean readNumbers(long firstOrdinal, int count, NumberVector out) throws IOException {
    long ordinal = firstOrdinal;
    long end = firstOrdinal + count;
    while (ordinal < end) {
      int first = moveTo(ordinal);
      if (nullLayout != PageFormat.NO_NULLS) {
        return false;
      }
      int rows = (int) Math.min(end - ordinal, index.rowCount(currentPage) - first);
      if (decoder().readNumbers(first, rows, out)) {
        countEncoded(rows);
      } else {
        countDecoded(rows);
        ColumnVector cells = scratch();
        cells.clear();
        decode(first, rows, cells);
        out.append(cells, 0, rows);
      }
      ordinal += rows;
    }
    return true;
  }

  /**
   * Appends the cells with the ordinals {@code base + rows[i]} as numbers. The rows must ascend.
   *
   * @return false under the same condition as {@link #readNumbers}
   */
  public boolean pickNumbers(long base, int[] rows, int count, NumberVector out)
      throws IOException {
    int done = 0;
    while (done < count) {
      moveTo(base + rows[done]);
      if (nullLayout != PageFormat.NO_NULLS) {
        return false;
      }
      long pageEnd = index.firstOrdinal(currentPage + 1);
      int stop = done + 1;
      while (stop < count && base + rows[stop] < pageEnd) {
        stop++;
      }
      int inPage = (int) (base - index.firstOrdinal(currentPage));
      if (decoder().pickNumbers(inPage, rows, done, stop, out)) {
        countEncoded(stop - done);
      } else {
        countDecoded(stop - done);
        pickDecoded(inPage, rows, done, stop, out);
      }
      done = stop;
    }
    return true;
  }

  private void pickDecoded(int base, int[] rows, int from, int to, NumberVector out)
      throws IOException {
    ColumnVector cells = scratch();
    for (int i = from; i < to; i++) {
      cells.clear();
      decode(base + rows[i], 1, cells);
      out.append(cells, 0, 1);
    }
  }

  /**
   * Adds the matching cells of {@code [firstOrdinal, firstOrdinal + count)} to the sum, without
   * decoding them if the encoding allows it. All rows must be in one page.
   *
   * @param cellFilter null matches all cells
   * @return false if the encoding cannot compute the sum; nothing has been added then
   */
  public boolean sum(long firstOrdinal, int count, @Nullable CellFilter cellFilter, CellSum sum)
      throws IOException {
    int first = moveTo(firstOrdinal);
    if (nullLayout != PageFormat.NO_NULLS) {
      return false;
    }
    ColumnVector cells = scratch();
    cells.clear();
    boolean summed = decoder().sum(first, count, cellFilter, sum, cells);
    if (summed) {
      countEncoded(count);
    }
    return summed;
  }

  /**
   * Reads the dictionary codes of the cells {@code [firstOrdinal, firstOrdinal + count)}.
   *
   * @return false unless all rows are in one page that has a dictionary and no NULLs
   */
  public boolean readCodes(long firstOrdinal, int count, int[] out) throws IOException {
    int first = moveTo(firstOrdinal);
    if (nullLayout != PageFormat.NO_NULLS
        || decoder().codeCount() == 0
        || first + count > index.rowCount(currentPage)) {
      return false;
    }
    countEncoded(count);
    decoder().readCodes(first, count, out, 0);
    return true;
  }

  private void countEncoded(int rows) {
    countBytes(rows);
    if (reads != null) {
      reads.addEncodedCells(rows);
    }
  }

  /** Counts cells that the reader decodes itself, because their encoding has no numbers. */
  private void countDecoded(int rows) {
    countBytes(rows);
    if (reads != null) {
      reads.addDecodedCells(rows);
    }
  }

  private void countBytes(int rows) {
    encodedBytes += (long) block().bytes() * rows / index.rowCount(currentPage);
  }

  /** The current page. */
  private Page block() {
    assert block != null : "no page was read";
    return block;
  }

  /**
   * The encoded bytes that filters, sums and number reads have processed: of each page, the share
   * of the rows that they covered.
   */
  public long encodedBytes() {
    return encodedBytes;
  }

  /** The page of the last read. */
  public int currentPage() {
    return currentPage;
  }

  /** Appends the cells of all dictionary codes of the current page, in code order. */
  public void readEntries(ColumnVector out) {
    decoder().readEntries(out);
  }

  /** Makes the page of the ordinal current; returns the row within the page. */
  private int moveTo(long ordinal) throws IOException {
    int page = isCurrent(ordinal) ? currentPage : pageOf(ordinal);
    load(page);
    return (int) (ordinal - index.firstOrdinal(page));
  }

  private ColumnVector scratch() {
    if (scratch == null) {
      scratch = new ColumnVector(allocator, column().type(), false);
    }
    return scratch;
  }

  private boolean isCurrent(long ordinal) {
    return currentPage >= 0
        && ordinal >= index.firstOrdinal(currentPage)
        && ordinal < index.firstOrdinal(currentPage + 1);
  }

  private void readFromPage(int first, int rows, ColumnVector out) throws IOException {
    int start = out.rowCount();
    switch (nullLayout) {
      case PageFormat.NO_NULLS -> decode(first, rows, out);
      case PageFormat.ALL_NULL -> {
        for (int row = 0; row < rows; row++) {
          out.appendNull();
        }
      }
      default -> {
        decode(first, rows, out);
        out.copyPresenceOfLast(rows, bitmap, first);
        NullCells.clear(bitmap, first, rows, out, start);
      }
    }
  }

  private void decode(int first, int rows, ColumnVector out) throws IOException {
    String error = decoder().read(first, rows, out);
    if (error != null) {
      throw file.broken(index.offset(currentPage), "page of column %s, %s", column(), error);
    }
  }

  /** Makes the page current: reads, verifies and opens it unless it is current already. */
  private void load(int page) throws IOException {
    if (page == currentPage) {
      return;
    }
    unpinPage();
    long offset = index.offset(page);
    Page pinned = file.pin(BlockKind.COLUMN_PAGE, offset, index.blockBytes(page), reads);
    block = pinned;
    if (reads != null && page > lastNewPage) { // scans move forward
      lastNewPage = page;
      reads.addColumnPage();
    }
    open(page, offset, pinned);
    pinned.markKnownSound();
    currentPage = page;
  }

  /** Unpins the current page. The next read looks up its page in the page cache again. */
  public void unpinPage() {
    currentPage = -1;
    if (block != null) {
      block.unpin();
      block = null;
    }
  }

  private void open(int page, long offset, Page pinned) {
    int bytes = pinned.bytes();
    long body = pinned.address();
    if (bytes < PageFormat.HEADER_BYTES) {
      throw file.broken(
          offset, "page header: expected %d bytes, found %d", PageFormat.HEADER_BYTES, bytes);
    }
    int rows = index.rowCount(page);
    int nulls = index.nullCount(page);
    nullLayout = Memory.getByte(body + 1);
    expect(offset, "page's row count", rows, Memory.getInt(body + 4));
    expect(offset, "page's null count", nulls, Memory.getInt(body + 8));
    expect(offset, "page's reserved bytes", 0, Memory.getShort(body + 2));
    int layout =
        nulls == 0 ? PageFormat.NO_NULLS : nulls == rows ? PageFormat.ALL_NULL : PageFormat.BITMAP;
    expect(offset, "page's null layout", layout, nullLayout);
    if (nulls > 0 && !column().isNullable()) {
      throw file.broken(offset, "expected no NULL in column %s, found %d", column(), nulls);
    }
    bitmap = body + PageFormat.HEADER_BYTES;
    int bitmapBytes = layout == PageFormat.BITMAP ? PageFormat.bitmapBytes(rows) : 0;
    int valueBytes = bytes - PageFormat.HEADER_BYTES - bitmapBytes;
    if (valueBytes < 0) {
      throw file.broken(
          offset, "expected a bitmap of %d bytes, found a page of %d bytes", bitmapBytes, bytes);
    }
    int number = Memory.getByte(body);
    if (layout == PageFormat.ALL_NULL) {
      expect(offset, "encoding", PageFormat.NO_ENCODING, number);
      expect(offset, "bytes of values", 0, valueBytes);
      return;
    }
    PageDecoder opened = decoder(offset, number);
    decoder = opened;
    opened.setKnownSound(pinned.isKnownSound());
    passBounds(page, opened);
    String error = opened.open(bitmap + bitmapBytes, valueBytes, rows);
    if (error != null) {
      throw file.broken(offset, "page of column %s, %s", column(), error);
    }
  }

  private void passBounds(int page, PageDecoder opened) {
    byte[] minimum = index.minimum(page);
    byte[] maximum = index.maximum(page);
    if (minimum != null && maximum != null && has64BitIntegers) {
      opened.setBounds(LittleEndian.getLong(minimum, 0), LittleEndian.getLong(maximum, 0));
    } else {
      opened.setBounds(Long.MIN_VALUE, Long.MAX_VALUE);
    }
  }

  private void expect(long offset, String what, int expected, int found) {
    if (expected != found) {
      throw file.broken(offset, "%s: expected %d, found %d", what, expected, found);
    }
  }

  /** The decoder of the current page, which has values. */
  private PageDecoder decoder() {
    assert decoder != null : "no page with values was read";
    return decoder;
  }

  private PageDecoder decoder(long offset, int number) {
    PageEncoding encoding = PageEncodings.of(number);
    if (encoding == null || !encoding.fits(column().type())) {
      throw file.broken(
          offset,
          "encoding: expected one for %s, found %s",
          column().type(),
          PageEncodings.nameOf(number));
    }
    PageDecoder made = decoders[number];
    if (made == null) {
      made = encoding.decoder(column().type());
      decoders[number] = made;
    }
    return made;
  }

  @Override
  public void close() {
    for (PageDecoder made : decoders) {
      if (made != null) {
        made.close();
      }
    }
    if (scratch != null) {
      scratch.close();
    }
    unpinPage();
  }
}
