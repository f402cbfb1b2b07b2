package dev.kudu4j.tablet.checkpoint;

import dev.kudu4j.common.schema.ColumnSchema;
import dev.kudu4j.common.schema.Schema;
import dev.kudu4j.tablet.batch.ColumnBatch;
import dev.kudu4j.tablet.batch.ColumnVector;
import dev.kudu4j.tablet.memrowset.MemRow;
import dev.kudu4j.tablet.memrowset.MemRowSet;
import dev.kudu4j.tablet.memrowset.RowFormat;
import java.util.Arrays;

/**
 * Turns rows of a MemRowSet, as they were inserted, into columns of one schema. A row older than a
 * column takes the column's read default.
 */
final class RowDecoder {
  private final MemRowSet rows;
  private final Schema schema;
  private RowFormat[] formats = new RowFormat[0];

  /** By layout, then by column of the schema: the column's index in the layout, or -1. */
  private int[][] sources = new int[0][];

  RowDecoder(MemRowSet rows, Schema schema) {
    this.rows = rows;
    this.schema = schema;
  }

  /** Appends the rows to the batch, a column at a time. */
  void decode(long[] addresses, int count, ColumnBatch out) {
    for (int i = 0; i < count; i++) {
      knowLayout(MemRow.layout(addresses[i]));
    }
    for (int column = 0; column < schema.columnCount(); column++) {
      decodeColumn(column, addresses, count, out.column(column));
    }
    out.setRowCount(count);
  }

  private void decodeColumn(int column, long[] addresses, int count, ColumnVector out) {
    for (int i = 0; i < count; i++) {
      long row = addresses[i];
      int layout = MemRow.layout(row);
      int source = sources[layout][column];
      RowFormat format = formats[layout];
      if (source < 0) {
        appendDefault(schema.column(column), out);
      } else if (format.isNull(row, source)) {
        out.appendNull();
      } else {
        out.append(format.cellAddress(row, source), format.cellLength(row, source));
      }
    }
  }

  private static void appendDefault(ColumnSchema column, ColumnVector out) {
    byte[] cell = column.readDefault();
    if (cell == null) {
      out.appendNull();
    } else {
      out.append(cell, 0, cell.length);
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
