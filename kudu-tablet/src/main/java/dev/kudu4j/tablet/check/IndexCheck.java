package dev.kudu4j.tablet.check;

import com.google.errorprone.annotations.FormatMethod;
import com.google.errorprone.annotations.FormatString;
import dev.kudu4j.common.memory.Memory;
import dev.kudu4j.common.schema.CellOrder;
import dev.kudu4j.common.schema.ColumnSchema;
import dev.kudu4j.common.schema.DataType;
import dev.kudu4j.tablet.batch.ColumnVector;
import dev.kudu4j.tablet.cfile.ColumnReader;
import dev.kudu4j.tablet.components.RowSetFiles;
import dev.kudu4j.tablet.index.IndexFile;
import dev.kudu4j.tablet.index.IndexValue;
import java.io.IOException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Locale;
import org.apache.arrow.memory.BufferAllocator;
import org.jspecify.annotations.Nullable;

/**
 * Compares an index file with its rowset: each ordinal occurs once, with the cells that the rowset
 * has, and the entries ascend.
 *
 * <p>Off-heap memory: the cells of one column of the rowset, and those of {@value #BATCH_ENTRIES}
 * entries.
 */
final class IndexCheck {
  private static final int BATCH_ENTRIES = 4096;

  /** The number of differences of a file that are described; further ones are only counted. */
  static final int MAX_DESCRIBED = 10;

  /** An entry whose ordinal is invalid, so that its cells cannot be compared. */
  private static final int NO_ORDINAL = -1;

  private final BufferAllocator allocator;
  private final RowSetFiles rowSet;
  private final IndexFile file;
  private final Listener listener;
  private long differences;

  /** Receives what the check finds. */
  interface Listener {
    /**
     * Called for the first differences.
     *
     * @param ordinal of the row; {@link IndexDifference#WHOLE_FILE} if it is not about one row
     */
    void differs(long ordinal, String text);

    /** Called after cells were compared; may throw to end the check. */
    default void compared(int cells) {}
  }

  private IndexCheck(
      BufferAllocator allocator, RowSetFiles rowSet, IndexFile file, Listener listener) {
    this.allocator = allocator;
    this.rowSet = rowSet;
    this.file = file;
    this.listener = listener;
  }

  /** Returns the number of differences. */
  static long check(
      BufferAllocator allocator, RowSetFiles rowSet, IndexFile file, Listener listener)
      throws IOException {
    IndexCheck check = new IndexCheck(allocator, rowSet, file, listener);
    check.run();
    return check.differences;
  }

  @FormatMethod
  private void differs(long ordinal, @FormatString String format, Object... args) {
    if (differences++ < MAX_DESCRIBED) {
      listener.differs(ordinal, String.format(Locale.ROOT, format, args));
    }
  }

  private void run() throws IOException {
    if (file.entryCount() != rowSet.base().rowCount()) {
      differs(
          IndexDifference.WHOLE_FILE,
          "expected %d entries, found %d",
          rowSet.base().rowCount(),
          file.entryCount());
      return;
    }
    int[] ordinals = ordinals(Math.toIntExact(file.entryCount()));
    BitSet ranked = new BitSet(ordinals.length); // entries that differ from the one before
    List<Integer> indexed = file.indexedColumns();
    for (int id : file.columns().stream().map(column -> column.column().id()).toList()) {
      checkColumn(id, ordinals, indexed.contains(id) ? ranked : null);
    }
    if (file.filter().exists()) {
      checkFilter();
    }
    for (int i = 1; i < ordinals.length; i++) {
      boolean known = ordinals[i] != NO_ORDINAL && ordinals[i - 1] != NO_ORDINAL;
      if (known && !ranked.get(i) && ordinals[i] < ordinals[i - 1]) {
        differs(ordinals[i], "entries %d and %d are equal, but not in the order of rows", i - 1, i);
      }
    }
  }

  /** Checks that the filter contains each value. */
  private void checkFilter() throws IOException {
    List<ColumnReader> readers = new ArrayList<>();
    List<ColumnVector> cells = new ArrayList<>();
    try {
      for (int id : file.indexedColumns()) {
        ColumnReader reader = file.openColumn(id);
        assert reader != null : "the file has its indexed columns";
        readers.add(reader);
        cells.add(
            new ColumnVector(allocator, reader.column().type(), reader.column().isNullable()));
      }
      IndexValue value = new IndexValue(cells.stream().map(ColumnVector::type).toList());
      for (long first = 0; first < file.entryCount(); first += BATCH_ENTRIES) {
        int count = (int) Math.min(BATCH_ENTRIES, file.entryCount() - first);
        for (int i = 0; i < readers.size(); i++) {
          cells.get(i).clear();
          readers.get(i).read(first, count, cells.get(i));
        }
        checkFilter(first, cells, value);
      }
    } finally {
      readers.forEach(ColumnReader::close);
      cells.forEach(ColumnVector::close);
    }
  }

  private void checkFilter(long first, List<ColumnVector> cells, IndexValue value)
      throws IOException {
    int count = cells.get(0).rowCount();
    for (int row = 0; row < count; row++) {
      value.set(cells, row);
      if (value.isComplete() && !file.filter().mayContain(value.hash())) {
        differs(IndexDifference.WHOLE_FILE, "the filter lacks the value of entry %d", first + row);
      }
    }
    listener.compared(count);
  }

  private int[] ordinals(int entries) throws IOException {
    int[] ordinals = new int[entries];
    BitSet seen = new BitSet(entries);
    try (ColumnReader reader = file.openOrdinals();
        ColumnVector cells = new ColumnVector(allocator, DataType.INT32, false)) {
      for (int first = 0; first < entries; first += BATCH_ENTRIES) {
        int count = Math.min(BATCH_ENTRIES, entries - first);
        cells.clear();
        reader.read(first, count, cells);
        for (int i = 0; i < count; i++) {
          ordinals[first + i] = ordinal(first + i, Memory.getInt(cells.cellAddress(i)), seen);
        }
      }
    }
    return ordinals;
  }

  /** The ordinal of an entry if it is one that no entry before has. */
  private int ordinal(int entry, int found, BitSet seen) {
    if (found < 0 || found >= file.entryCount()) {
      differs(
          IndexDifference.WHOLE_FILE,
          "entry %d: expected an ordinal below %d, found %d",
          entry,
          file.entryCount(),
          found);
      return NO_ORDINAL;
    }
    if (seen.get(found)) {
      differs(found, "entry %d has the ordinal of an earlier entry", entry);
      return NO_ORDINAL;
    }
    seen.set(found);
    return found;
  }

  /**
   * @param ranked the entries that differ from the one before by the columns so far; null for a
   *     column that is only included
   */
  private void checkColumn(int id, int[] ordinals, @Nullable BitSet ranked) throws IOException {
    try (ColumnReader ofRows = rowSet.openColumn(id);
        ColumnReader ofEntries = file.openColumn(id)) {
      if (ofRows == null || ofEntries == null) {
        differs(IndexDifference.WHOLE_FILE, "the rowset has no column with id %d", id);
        return;
      }
      ColumnSchema column = ofRows.column();
      if (ofEntries.column().type() != column.type()) {
        differs(
            IndexDifference.WHOLE_FILE,
            "column %s: expected type %s, found %s",
            column.name(),
            column.type(),
            ofEntries.column().type());
        return;
      }
      try (ColumnVector rows = new ColumnVector(allocator, column.type(), column.isNullable())) {
        for (int first = 0; first < ordinals.length; first += BATCH_ENTRIES) {
          ofRows.read(first, Math.min(BATCH_ENTRIES, ordinals.length - first), rows);
          listener.compared(0);
        }
        compare(ofEntries, rows, ordinals, ranked);
      }
    }
  }

  private void compare(
      ColumnReader reader, ColumnVector rows, int[] ordinals, @Nullable BitSet ranked)
      throws IOException {
    ColumnSchema column = reader.column();
    byte @Nullable [] before = null;
    try (ColumnVector entries = new ColumnVector(allocator, column.type(), column.isNullable())) {
      for (int first = 0; first < ordinals.length; first += BATCH_ENTRIES) {
        int count = Math.min(BATCH_ENTRIES, ordinals.length - first);
        entries.clear();
        reader.read(first, count, entries);
        for (int i = 0; i < count; i++) {
          int ordinal = ordinals[first + i];
          if (ordinal != NO_ORDINAL && !sameCell(entries, i, rows, ordinal)) {
            differs(ordinal, "entry %d has another cell of column %s", first + i, column.name());
          }
        }
        if (ranked != null) {
          before = checkOrder(column.type(), entries, first, before, ranked);
        }
        listener.compared(count);
      }
    }
  }

  /**
   * Checks that entries ascend.
   *
   * @param before the last cell of the previous batch
   * @return the last cell of this batch
   */
  private byte @Nullable [] checkOrder(
      DataType type, ColumnVector entries, int first, byte @Nullable [] before, BitSet ranked) {
    byte @Nullable [] previous = before;
    for (int i = 0; i < entries.rowCount(); i++) {
      byte @Nullable [] cell = cell(entries, i);
      int entry = first + i;
      if (entry > 0 && !ranked.get(entry)) {
        int order = order(type, cell, previous);
        if (order < 0) {
          differs(IndexDifference.WHOLE_FILE, "entry %d is below the one before", entry);
        }
        ranked.set(entry, order != 0);
      }
      previous = cell;
    }
    return previous;
  }

  private static boolean sameCell(ColumnVector one, int row, ColumnVector other, int otherRow) {
    if (one.isNull(row) || other.isNull(otherRow)) {
      return one.isNull(row) && other.isNull(otherRow);
    }
    return Memory.compare(
            one.cellAddress(row),
            one.cellLength(row),
            other.cellAddress(otherRow),
            other.cellLength(otherRow))
        == 0;
  }

  private static int order(DataType type, byte @Nullable [] cell, byte @Nullable [] other) {
    if (cell == null || other == null) {
      return Boolean.compare(cell != null, other != null);
    }
    return CellOrder.compare(type, cell, other);
  }

  private static byte @Nullable [] cell(ColumnVector cells, int row) {
    if (cells.isNull(row)) {
      return null;
    }
    byte[] cell = new byte[cells.cellLength(row)];
    Memory.copy(cells.cellAddress(row), cell, 0, cell.length);
    return cell;
  }
}
