package dev.kudu4j.tablet.rowset;

import dev.kudu4j.common.memory.Memory;
import dev.kudu4j.tablet.cache.Page;
import dev.kudu4j.tablet.file.BlockKind;
import dev.kudu4j.tablet.file.SealedFile;
import java.io.IOException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Reads keys by ordinal, in ascending order, or by a search for a key. Keeps the current page
 * pinned. Not thread-safe.
 */
final class KeyReader implements RowSetKeyCursor {
  private final SealedFile file;
  private final KeyIndex index;

  private @Nullable Page block; // null before the first page
  private int page = -1; // the page in the block, or -1
  private int rows;
  private int row = -1; // the current row of the page
  private long at; // the address of the entry after the current one
  private long entries; // the address of the page's first entry
  private long end;
  private int prefix; // the bytes of the prefix that all keys of the page share
  private long ordinal = -1;
  private byte[] key = new byte[64];
  private int keyLength;

  /**
   * @param file borrowed for the lifetime of the reader
   */
  KeyReader(SealedFile file, KeyIndex index) {
    this.file = file;
    this.index = index;
  }

  @Override
  public void seek(long to) throws IOException {
    if (to < 0 || to > index.rowCount()) {
      throw new IndexOutOfBoundsException(
          "Ordinal " + to + " of " + file.name() + ", which has " + index.rowCount() + " rows");
    }
    if (to == index.rowCount()) {
      ordinal = to;
      keyLength = 0;
      return;
    }
    int target = index.pageOf(to);
    load(target);
    moveTo((int) (to - index.firstOrdinal(target)));
  }

  @Override
  public boolean next() throws IOException {
    long to = ordinal + 1;
    if (to >= index.rowCount()) {
      ordinal = index.rowCount();
      keyLength = 0;
      return false;
    }
    if (page < 0 || row + 1 >= rows || index.firstOrdinal(page) + row + 1 != to) {
      seek(to);
    } else {
      step();
    }
    return true;
  }

  @Override
  public long ordinal() {
    return ordinal;
  }

  @Override
  public byte[] keyArray() {
    return key;
  }

  @Override
  public int keyLength() {
    return keyLength;
  }

  /**
   * Moves to the first key of the page at or above {@code wanted}. If all keys of the page are
   * below {@code wanted}, moves to the last key of the page.
   *
   * @return the ordinal of the first key at or above {@code wanted}, which may be the first key of
   *     the next page
   */
  long lowerBound(int target, byte[] wanted, int offset, int length) throws IOException {
    load(target);
    moveTo(KeyPageFormat.ROWS_PER_RESTART * restartBefore(wanted, offset, length));
    while (compare(wanted, offset, length) < 0) {
      if (row + 1 >= rows) {
        return index.firstOrdinal(target) + rows;
      }
      step();
    }
    return ordinal;
  }

  /** Whether the current key equals {@code wanted}. */
  boolean isAt(byte[] wanted, int offset, int length) {
    return compare(wanted, offset, length) == 0;
  }

  private int compare(byte[] wanted, int offset, int length) {
    return Arrays.compareUnsigned(key, 0, keyLength, wanted, offset, offset + length);
  }

  /** The last restart whose key is not above {@code wanted}, or the first restart. */
  private int restartBefore(byte[] wanted, int offset, int length) {
    int low = 0;
    int high = KeyPageFormat.groups(rows) - 1;
    while (low < high) {
      int middle = (low + high + 1) >>> 1;
      openRestart(middle);
      if (compare(wanted, offset, length) <= 0) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    return low;
  }

  /** Moves to a row of the current page. */
  private void moveTo(int target) {
    openRestart(target / KeyPageFormat.ROWS_PER_RESTART);
    while (row < target) {
      step();
    }
  }

  /** Moves to the first row of a group. */
  private void openRestart(int group) {
    at = entries + (group == 0 ? 0 : restart(group));
    row = group * KeyPageFormat.ROWS_PER_RESTART;
    keyLength = prefix;
    readFurther(prefix, varint());
  }

  private int restart(int group) {
    long restarts = entries - KeyPageFormat.restartBytes(rows);
    return Memory.getShort(restarts + 2L * (group - 1)) & 0xffff;
  }

  /** Reads the next entry of the page. */
  private void step() {
    row++;
    if (KeyPageFormat.isRestart(row)) {
      readFurther(prefix, varint());
      return;
    }
    int head = varint();
    int further = head >>> 1;
    readFurther((head & 1) == 0 ? keyLength - further : varint(), further);
  }

  /** Builds the current key from the prefix shared with the previous key and bytes of the page. */
  private void readFurther(int shared, int further) {
    int length = shared + further;
    if (shared < prefix || shared > keyLength || further < 0 || length < 0 || further > end - at) {
      throw broken("an entry of at most %d bytes, found %d", end - at, further);
    }
    if (length > key.length) {
      key = Arrays.copyOf(key, 2 * length);
    }
    copy(at, shared, further);
    at += further;
    keyLength = length;
    ordinal = index.firstOrdinal(page) + row;
    if (row == rows - 1 && at != end) {
      throw broken("%d rows to fill the page, found %d bytes after them", rows, end - at);
    }
  }

  /**
   * Copies bytes of the page into the key. Most entries are a few bytes long, for which a loop is
   * faster.
   */
  private void copy(long from, int to, int bytes) {
    if (bytes > 16) {
      Memory.copy(from, key, to, bytes);
      return;
    }
    for (int i = 0; i < bytes; i++) {
      key[to + i] = Memory.getByte(from + i);
    }
  }

  private int varint() {
    int value = 0;
    for (int shift = 0; shift < 35 && at < end; shift += 7) {
      byte part = Memory.getByte(at++);
      value |= (part & 0x7f) << shift;
      if (part >= 0) {
        return value;
      }
    }
    assert block != null : "the entry is in a page";
    throw broken("a varint within a page of %d bytes, found %d", block.bytes(), value);
  }

  private RuntimeException broken(String expected, long limit, long found) {
    return file.broken(
        index.offset(page), "key page: expected %s", expected.formatted(limit, found));
  }

  private void load(int target) throws IOException {
    if (target == page) {
      return;
    }
    unpinPages();
    Page pinned = file.pin(BlockKind.KEY_PAGE, index.offset(target), index.blockBytes(target));
    block = pinned;
    page = target;
    rows = index.rowCount(target);
    open(pinned);
  }

  /** Reads and checks the part of the page that precedes the entries. */
  private void open(Page pinned) {
    long body = pinned.address();
    end = body + pinned.bytes();
    boolean whole = pinned.bytes() >= KeyPageFormat.HEADER_BYTES;
    int found = whole ? Memory.getInt(body) : -1;
    prefix = whole ? Memory.getInt(body + 4) : -1;
    long before = KeyPageFormat.HEADER_BYTES + (long) prefix + KeyPageFormat.restartBytes(rows);
    if (found != rows || prefix < 0 || before > pinned.bytes()) {
      int broken = page;
      page = -1;
      throw file.broken(
          index.offset(broken),
          "key page: expected %d rows in %d bytes, found %d rows and a prefix of %d",
          rows,
          pinned.bytes(),
          found,
          prefix);
    }
    entries = body + before;
    key = key.length < prefix ? new byte[2 * prefix] : key;
    Memory.copy(body + KeyPageFormat.HEADER_BYTES, key, 0, prefix);
    keyLength = prefix;
  }

  /** Unpins the page; the current key stays valid. */
  void unpinPages() {
    page = -1;
    if (block != null) {
      block.unpin();
      block = null;
    }
  }

  @Override
  public void close() {
    unpinPages();
  }
}
