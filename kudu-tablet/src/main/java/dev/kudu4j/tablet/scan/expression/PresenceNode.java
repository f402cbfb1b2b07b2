package dev.kudu4j.tablet.scan.expression;

import dev.kudu4j.tablet.batch.ColumnVector;
import dev.kudu4j.tablet.batch.NumberVector;
import dev.kudu4j.tablet.batch.NumberVector.Kind;
import java.io.IOException;

/** NULL where a column is NULL, and 0 elsewhere. */
public final class PresenceNode extends NumberNode {
  private final int column;

  PresenceNode(int column) {
    super(false, 0);
    this.column = column;
  }

  /** The number of the column. */
  public int column() {
    return column;
  }

  @Override
  void compute(RowChunk chunk, NumberVector out) throws IOException {
    out.clear(Kind.INTS);
    out.appendZeros(chunk.count());
    ColumnVector cells = chunk.rows().cells(column);
    if (!cells.isNullable()) {
      return;
    }
    int first = chunk.rows().firstRow(column);
    for (int i = 0; i < chunk.count(); i++) {
      int cell = chunk.row(i) - first;
      if (cell >= 0 && cell < cells.rowCount() && cells.isNull(cell)) {
        out.setNull(i);
      }
    }
  }
}
