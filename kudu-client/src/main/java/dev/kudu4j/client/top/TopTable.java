package dev.kudu4j.client.top;

import dev.kudu4j.client.scan.CellLayout;
import dev.kudu4j.client.scan.ColumnarRows;
import dev.kudu4j.client.scan.ColumnarRowsBuilder;
import dev.kudu4j.client.scan.RowBatch;
import dev.kudu4j.common.expression.TopN;
import dev.kudu4j.common.schema.Schema;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;

/** The first rows of those that were added. Not thread-safe. */
final class TopTable {
  private final TopN top;
  private final CellLayout layout;
  private final int[] ordered; // the columns of the order, by index
  private final PriorityQueue<byte[][]> rows; // its head is the last row

  /**
   * @param columns the columns of the rows, among them those of the order
   */
  TopTable(TopN top, Schema columns) {
    this.top = top;
    this.layout = new CellLayout(columns);
    this.ordered =
        top.order().stream()
            .mapToInt(order -> columns.indexOfName(order.column().name()))
            .toArray();
    this.rows = new PriorityQueue<>(order().reversed());
  }

  private Comparator<byte[][]> order() {
    return (a, b) -> {
      int compared = 0;
      for (int i = 0; i < ordered.length && compared == 0; i++) {
        compared = top.order().get(i).compare(a[ordered[i]], b[ordered[i]]);
      }
      return compared;
    };
  }

  void add(RowBatch batch) {
    for (int row = 0; row < batch.count(); row++) {
      if (rows.size() < top.count() || isBeforeLast(batch, row)) {
        byte[][] cells = new byte[layout.columnCount()][];
        for (int i = 0; i < cells.length; i++) {
          cells[i] = batch.cell(layout, i, row);
        }
        add(cells);
      }
    }
  }

  private boolean isBeforeLast(RowBatch batch, int row) {
    byte[][] last = rows.element();
    for (int i = 0; i < ordered.length; i++) {
      byte[] cell = batch.cell(layout, ordered[i], row);
      int compared = top.order().get(i).compare(cell, last[ordered[i]]);
      if (compared != 0) {
        return compared < 0;
      }
    }
    return false;
  }

  private void add(byte[][] cells) {
    rows.add(cells);
    if (rows.size() > top.count()) {
      rows.remove();
    }
  }

  void add(TopTable other) {
    other.rows.forEach(this::add);
  }

  /** The rows in order, without the first {@code skipped}. */
  ColumnarRows after(int skipped) {
    List<byte[][]> sorted = rows.stream().sorted(order()).skip(skipped).toList();
    ColumnarRowsBuilder result = new ColumnarRowsBuilder(layout);
    for (byte[][] cells : sorted) {
      for (int i = 0; i < cells.length; i++) {
        result.set(i, cells[i]);
      }
      result.endRow();
    }
    return result.build();
  }
}
