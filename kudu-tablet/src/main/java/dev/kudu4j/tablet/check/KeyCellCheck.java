package dev.kudu4j.tablet.check;

import dev.kudu4j.common.key.KeyBuffer;
import dev.kudu4j.common.key.KeyEncoder;
import dev.kudu4j.common.memory.Memory;
import dev.kudu4j.common.schema.ColumnSchema;
import dev.kudu4j.tablet.batch.ColumnVector;
import dev.kudu4j.tablet.cfile.ColumnIndex;
import dev.kudu4j.tablet.cfile.ColumnReader;
import dev.kudu4j.tablet.rowset.BaseData;
import dev.kudu4j.tablet.rowset.RowSetKeyCursor;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;

/**
 * Compares each encoded key of base data with the key cells of its row, which are stored
 * separately.
 */
final class KeyCellCheck implements AutoCloseable {
  private static final int ROWS_AT_ONCE = 4096;

  private final BaseData data;
  private final Problems problems;
  private final List<ColumnReader> readers = new ArrayList<>();
  private final List<ColumnVector> cells = new ArrayList<>();
  private final KeyBuffer encoded = new KeyBuffer();

  KeyCellCheck(BaseData data, BufferAllocator allocator, Problems problems) {
    this.data = data;
    this.problems = problems;
    for (ColumnIndex column : data.footer().columns()) {
      if (column.column().isKey()) {
        readers.add(data.openColumn(column.column().id()));
        cells.add(new ColumnVector(allocator, column.column().type(), false));
      }
    }
  }

  void check() throws IOException {
    try (RowSetKeyCursor keys = data.openKeys()) {
      for (long first = 0; first < data.rowCount(); first += ROWS_AT_ONCE) {
        int count = (int) Math.min(ROWS_AT_ONCE, data.rowCount() - first);
        for (int i = 0; i < readers.size(); i++) {
          cells.get(i).clear();
          readers.get(i).read(first, count, cells.get(i));
        }
        for (int row = 0; row < count && keys.next(); row++) {
          checkRow(keys, row);
        }
      }
    }
  }

  private void checkRow(RowSetKeyCursor keys, int row) {
    encoded.clear();
    for (int i = 0; i < readers.size(); i++) {
      ColumnSchema column = readers.get(i).column();
      byte[] cell = new byte[cells.get(i).cellLength(row)];
      Memory.copy(cells.get(i).cellAddress(row), cell, 0, cell.length);
      boolean last = i == readers.size() - 1;
      KeyEncoder.appendCell(column.type(), cell, 0, cell.length, last, encoded);
    }
    if (!Arrays.equals(
        encoded.array(), 0, encoded.length(), keys.keyArray(), 0, keys.keyLength())) {
      problems.add(
          data.sealedFile().blocksOffset(),
          "key of ordinal %d: expected %s from its cells, found %s in the key page",
          keys.ordinal(),
          Hex.of(encoded.toByteArray()),
          Hex.of(Arrays.copyOf(keys.keyArray(), keys.keyLength())));
    }
  }

  @Override
  public void close() {
    readers.forEach(ColumnReader::close);
    cells.forEach(ColumnVector::close);
  }
}
