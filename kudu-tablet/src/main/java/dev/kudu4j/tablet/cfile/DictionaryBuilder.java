package dev.kudu4j.tablet.cfile;

import dev.kudu4j.common.memory.Memory;
import dev.kudu4j.common.schema.DataType;
import dev.kudu4j.tablet.batch.ColumnVector;
import java.util.Arrays;

/**
 * Collects the distinct cells of a page and assigns a code to each row. Codes follow the order of
 * the cells. One instance serves one page; not thread-safe.
 */
final class DictionaryBuilder {
  private final DataType type;
  private final ColumnVector cells;
  private final int[] codes; // by row
  private int[] rows = new int[64]; // by code: a row with that cell
  private int[] slots = new int[256]; // code + 1, or 0
  private int entries;
  private long entryBytes;

  DictionaryBuilder(ColumnVector cells) {
    this.cells = cells;
    this.type = cells.type();
    this.codes = new int[cells.rowCount()];
  }

  /**
   * Collects the cells.
   *
   * @return false as soon as the number or the size of the entries exceeds the limit
   */
  boolean build(int maxEntries, long maxEntryBytes) {
    for (int row = 0; row < codes.length; row++) {
      codes[row] = row > 0 && same(row, row - 1) ? codes[row - 1] : codeOf(row);
      if (entries > maxEntries || entryBytes > maxEntryBytes) {
        return false;
      }
    }
    sort();
    return true;
  }

  private int codeOf(int row) {
    int mask = slots.length - 1;
    int slot = hash(row) & mask;
    while (slots[slot] != 0) {
      int code = slots[slot] - 1;
      if (same(rows[code], row)) {
        return code;
      }
      slot = (slot + 1) & mask;
    }
    return add(row, slot);
  }

  private int add(int row, int slot) {
    if (entries == rows.length) {
      rows = Arrays.copyOf(rows, 2 * entries);
    }
    rows[entries] = row;
    slots[slot] = ++entries;
    entryBytes += cells.cellLength(row);
    if (2 * entries > slots.length) {
      rehash();
    }
    return entries - 1;
  }

  private void rehash() {
    slots = new int[4 * slots.length];
    int mask = slots.length - 1;
    for (int code = 0; code < entries; code++) {
      int slot = hash(rows[code]) & mask;
      while (slots[slot] != 0) {
        slot = (slot + 1) & mask;
      }
      slots[slot] = code + 1;
    }
  }

  private boolean same(int left, int right) {
    int length = cells.cellLength(left);
    return length == cells.cellLength(right)
        && Memory.compare(cells.cellAddress(left), length, cells.cellAddress(right), length) == 0;
  }

  private int hash(int row) {
    long at = cells.cellAddress(row);
    int length = cells.cellLength(row);
    long hash = length * 0x9e3779b97f4a7c15L;
    int i = 0;
    for (; i + 8 <= length; i += 8) {
      hash = mix(hash ^ Memory.getLong(at + i));
    }
    for (; i < length; i++) {
      hash = mix(hash ^ Memory.getByte(at + i));
    }
    // Mixes a second time, because doubles that are small integers differ only in their top bits.
    return (int) mix(hash);
  }

  private static long mix(long value) {
    long mixed = value * 0xd6e8feb86659fd93L;
    return mixed ^ mixed >>> 32;
  }

  private void sort() {
    int[] order = new int[entries];
    for (int i = 0; i < entries; i++) {
      order[i] = i;
    }
    sort(order, new int[entries], 0, entries);
    int[] newCode = new int[entries];
    int[] newRows = new int[entries];
    for (int code = 0; code < entries; code++) {
      newCode[order[code]] = code;
      newRows[code] = rows[order[code]];
    }
    for (int row = 0; row < codes.length; row++) {
      codes[row] = newCode[codes[row]];
    }
    rows = newRows;
  }

  /** Merge sort of codes by their cells. */
  private void sort(int[] order, int[] spare, int from, int to) {
    if (to - from < 2) {
      return;
    }
    int middle = (from + to) >>> 1;
    sort(order, spare, from, middle);
    sort(order, spare, middle, to);
    if (compare(order[middle - 1], order[middle]) <= 0) {
      return;
    }
    System.arraycopy(order, from, spare, from, to - from);
    int left = from;
    int right = middle;
    for (int i = from; i < to; i++) {
      boolean takeLeft = right == to || (left < middle && compare(spare[left], spare[right]) <= 0);
      order[i] = takeLeft ? spare[left++] : spare[right++];
    }
  }

  private int compare(int leftCode, int rightCode) {
    int left = rows[leftCode];
    int right = rows[rightCode];
    int order =
        CellComparator.compare(
            type,
            cells.cellAddress(left),
            cells.cellLength(left),
            cells.cellAddress(right),
            cells.cellLength(right));
    // NaNs with different bytes compare as equal; their bytes then decide the order.
    return order != 0
        ? order
        : Memory.compare(
            cells.cellAddress(left),
            cells.cellLength(left),
            cells.cellAddress(right),
            cells.cellLength(right));
  }

  int entryCount() {
    return entries;
  }

  /** The size of all entries' cells. */
  long entryBytes() {
    return entryBytes;
  }

  /** A row whose cell is the entry with the code. */
  int rowOf(int code) {
    return rows[code];
  }

  int code(int row) {
    return codes[row];
  }
}
