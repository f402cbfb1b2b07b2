package dev.kudu4j.client;

import dev.kudu4j.common.row.RowCells;

/** The cells of a {@link PartialRow}, in the form that key encoding reads. */
record PartialRowCells(PartialRow row) implements RowCells {
  @Override
  public boolean hasCell(int column) {
    return row.hasCell(column);
  }

  @Override
  public byte[] cellArray(int column) {
    return row.cellArray(column);
  }

  @Override
  public int cellOffset(int column) {
    return row.cellOffset(column);
  }

  @Override
  public int cellLength(int column) {
    return row.cellLength(column);
  }
}
