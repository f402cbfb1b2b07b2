package dev.kudu4j.tablet.checkpoint;

import dev.kudu4j.common.memory.Memory;
import dev.kudu4j.common.schema.ColumnSchema;
import dev.kudu4j.common.schema.Schema;
import dev.kudu4j.tablet.batch.ColumnBatch;
import dev.kudu4j.tablet.batch.ColumnVector;
import dev.kudu4j.tablet.memrowset.MemRow;
import dev.kudu4j.tablet.memrowset.MemRowSet;
import dev.kudu4j.tablet.memrowset.RowFormat;
import java.util.Arrays;

/**
 * Converts rows of a MemRowSet, in their inserted state, into columns of one schema. A row that was
 * inserted before a column was added gets the column's read default.
 *
 * <p>Consecutive rows with the same layout form a run. A run is decoded column by column, so a
 * cell's width and offset are determined once per column and run.
 */
final class RowDecoder {
  private final MemRowSet rows;
  private final Schema schema;
  private RowFormat[] formats = new RowFormat[0];

  /** The column's index in the layout, or -1; by layout, then by column of the schema. */
  private int[][] sources = new int[0][];

  RowDecoder(MemRowSet rows, Schema schema) {
    this.rows = rows;
    this.schema = schema;
  }

  /** Appends the rows to the batch, column by column. */
  void decode(long[] addresses, int count, ColumnBatch out) {
    for (int from = 0; from < count; ) {
      int layout = MemRow.layout(addresses[from]);
      int to = from + 1;
      while (to < count && MemRow.layout(addresses[to]) == layout) {
        to++;
      }
      knowLayout(layout);
      for (int column = 0; column < schema.columnCount(); column++) {
        decodeRun(column, layout, addresses, from, to, out.column(column));
      }
      from = to;
    }
    out.setRowCount(count);
  }

  private void decodeRun(
      int column, int layout, long[] addresses, int from, int to, ColumnVector out) {
    int source = sources[layout][column];
    RowFormat format = formats[layout];
    if (source < 0) {
      appendDefaults(schema.column(column), to - from, out);
    } else if (schema.column(column).type().isVariableLength()) {
      appendText(format, source, addresses, from, to, out);
    } else {
      appendFixed(format, source, addresses, from, to, out);
    }
  }

  private static void appendText(
      RowFormat format, int source, long[] addresses, int from, int to, ColumnVector out) {
    for (int i = from; i < to; i++) {
      long row = addresses[i];
      if (format.isNull(row, source)) {
        out.appendNull();
      } else {
        out.append(format.cellAddress(row, source), format.cellLength(row, source));
      }
    }
  }

  /**
   * A NULL cell is stored as zeros in the row, so it is copied like other cells and marked as NULL
   * afterwards.
   */
  private static void appendFixed(
      RowFormat format, int source, long[] addresses, int from, int to, ColumnVector out) {
    int first = out.rowCount();
    int count = to - from;
    out.reserve(count, 0);
    int width = out.type().width();
    int offset = format.cellOffset(source);
    long target = out.dataAddress() + (long) first * width;
    switch (width) {
      case 1 -> copy1(addresses, from, count, offset, target);
      case 2 -> copy2(addresses, from, count, offset, target);
      case 4 -> copy4(addresses, from, count, offset, target);
      case 8 -> copy8(addresses, from, count, offset, target);
      default -> copyWide(addresses, from, count, offset, target, width);
    }
    out.advance(count, 0);
    if (out.isNullable() && format.schema().column(source).isNullable()) {
      for (int i = 0; i < count; i++) {
        if (format.isNull(addresses[from + i], source)) {
          out.setNull(first + i);
        }
      }
    }
  }

  private static void copy1(long[] rows, int from, int count, int offset, long target) {
    for (int i = 0; i < count; i++) {
      Memory.putByte(target + i, Memory.getByte(RowFormat.body(rows[from + i]) + offset));
    }
  }

  private static void copy2(long[] rows, int from, int count, int offset, long target) {
    for (int i = 0; i < count; i++) {
      Memory.putShort(target + 2L * i, Memory.getShort(RowFormat.body(rows[from + i]) + offset));
    }
  }

  private static void copy4(long[] rows, int from, int count, int offset, long target) {
    for (int i = 0; i < count; i++) {
      Memory.putInt(target + 4L * i, Memory.getInt(RowFormat.body(rows[from + i]) + offset));
    }
  }

  private static void copy8(long[] rows, int from, int count, int offset, long target) {
    for (int i = 0; i < count; i++) {
      Memory.putLong(target + 8L * i, Memory.getLong(RowFormat.body(rows[from + i]) + offset));
    }
  }

  private static void copyWide(
      long[] rows, int from, int count, int offset, long target, int width) {
    for (int i = 0; i < count; i++) {
      Memory.copy(RowFormat.body(rows[from + i]) + offset, target + (long) width * i, width);
    }
  }

  private static void appendDefaults(ColumnSchema column, int count, ColumnVector out) {
    byte[] cell = column.readDefault();
    for (int i = 0; i < count; i++) {
      if (cell == null) {
        out.appendNull();
      } else {
        out.append(cell, 0, cell.length);
      }
    }
  }

  private void knowLayout(int layout) {
    if (layout < formats.length && formats[layout] != null) {
      return;
    }
    if (layout >= formats.length) {
      formats = Arrays.copyOf(formats, layout + 1);
      sources = Arrays.copyOf(sources, layout + 1);
    }
    formats[layout] = rows.format(layout);
    sources[layout] = new int[schema.columnCount()];
    for (int i = 0; i < schema.columnCount(); i++) {
      sources[layout][i] = formats[layout].schema().indexOfId(schema.column(i).id());
    }
  }
}
