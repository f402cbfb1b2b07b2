package dev.kudu4j.tablet.check;

import dev.kudu4j.common.memory.Memory;
import dev.kudu4j.common.schema.CellOrder;
import dev.kudu4j.common.schema.ColumnSchema;
import dev.kudu4j.common.schema.DataType;
import dev.kudu4j.tablet.batch.ColumnVector;
import dev.kudu4j.tablet.cfile.ColumnReader;
import dev.kudu4j.tablet.components.RowSetFiles;
import dev.kudu4j.tablet.index.IndexFile;
import java.io.IOException;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.jspecify.annotations.Nullable;

/**
 * Compares an index file with its rowset: each ordinal occurs once, with the cells that the rowset
 * has, and the entries ascend.
 */
final class IndexCheck {
  private final BufferAllocator allocator;
  private final RowSetFiles rowSet;
  private final IndexFile file;
  private final String name;
  private final Problems problems;

  private IndexCheck(
      BufferAllocator allocator,
      RowSetFiles rowSet,
      IndexFile file,
      String name,
      Problems problems) {
    this.allocator = allocator;
    this.rowSet = rowSet;
    this.file = file;
    this.name = name;
    this.problems = problems;
  }

  /**
   * @param name of the file in messages
   */
  static void check(
      BufferAllocator allocator, RowSetFiles rowSet, IndexFile file, String name, Problems problems)
      throws IOException {
    new IndexCheck(allocator, rowSet, file, name, problems).run();
  }

  private void run() throws IOException {
    if (file.entryCount() != rowSet.base().rowCount()) {
      problems.add(
          0,
          "%s: expected %d entries, found %d",
          name,
          rowSet.base().rowCount(),
          file.entryCount());
      return;
    }
    int entries = Math.toIntExact(file.entryCount());
    int[] ordinals = ordinals(entries);
    if (ordinals == null) {
      return;
    }
    BitSet higher = new BitSet(entries); // entries that a previous column puts above the one before
    List<Integer> indexed = file.indexedColumns();
    for (int id : file.columns().stream().map(column -> column.column().id()).toList()) {
      checkColumn(id, ordinals, indexed.contains(id) ? higher : null);
    }
    for (int i = 1; i < entries; i++) {
      if (!higher.get(i) && ordinals[i] <= ordinals[i - 1]) {
        problems.add(
            0, "%s: entries %d and %d are equal, but not in the order of rows", name, i - 1, i);
        return;
      }
    }
  }

  private int @Nullable [] ordinals(int entries) throws IOException {
    int[] ordinals = new int[entries];
    BitSet seen = new BitSet(entries);
    try (ColumnReader reader = file.openOrdinals();
        ColumnVector cells = new ColumnVector(allocator, DataType.INT32, false)) {
      reader.read(0, entries, cells);
      for (int i = 0; i < entries; i++) {
        ordinals[i] = Memory.getInt(cells.cellAddress(i));
        if (ordinals[i] < 0 || ordinals[i] >= entries || seen.get(ordinals[i])) {
          problems.add(
              0,
              "%s: entry %d: expected an unused ordinal below %d, found %d",
              name,
              i,
              entries,
              ordinals[i]);
          return null;
        }
        seen.set(ordinals[i]);
      }
    }
    return ordinals;
  }

  /**
   * @param higher the entries that are above the one before by the columns so far; null for a
   *     column that is only included
   */
  private void checkColumn(int id, int[] ordinals, @Nullable BitSet higher) throws IOException {
    try (ColumnReader ofRows = rowSet.openColumn(id);
        ColumnReader ofEntries = file.openColumn(id)) {
      if (ofRows == null || ofEntries == null) {
        problems.add(0, "%s: the rowset has no column with id %d", name, id);
        return;
      }
      ColumnSchema column = ofRows.column();
      try (ColumnVector rows = new ColumnVector(allocator, column.type(), column.isNullable());
          ColumnVector entries = new ColumnVector(allocator, column.type(), column.isNullable())) {
        ofRows.read(0, ordinals.length, rows);
        ofEntries.read(0, ordinals.length, entries);
        compare(column, rows, entries, ordinals, higher);
      }
    }
  }

  private void compare(
      ColumnSchema column,
      ColumnVector rows,
      ColumnVector entries,
      int[] ordinals,
      @Nullable BitSet higher) {
    byte @Nullable [] before = null;
    for (int i = 0; i < ordinals.length; i++) {
      byte @Nullable [] cell = cell(entries, i);
      byte @Nullable [] expected = cell(rows, ordinals[i]);
      if (!Arrays.equals(cell, expected)) {
        problems.add(
            0,
            "%s: entry %d of column %s differs from row %d",
            name,
            i,
            column.name(),
            ordinals[i]);
        return;
      }
      if (higher != null && i > 0 && !higher.get(i)) {
        int order = order(column.type(), cell, before);
        if (order < 0) {
          problems.add(0, "%s: entry %d is below the one before", name, i);
          return;
        }
        higher.set(i, order > 0);
      }
      before = cell;
    }
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
