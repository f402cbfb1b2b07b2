package dev.kudu4j.common.row;

/**
 * Cells of a row with an array each, such as those of a decoded key.
 *
 * @param cells by column; a column that is beyond the end or null has no cell
 */
public record ArrayCells(byte[][] cells) implements RowCells {
  @Override
  public boolean hasCell(int column) {
    return column < cells.length && cells[column] != null;
  }

  @Override
  public byte[] cellArray(int column) {
    return cells[column];
  }

  @Override
  public int cellOffset(int column) {
    return 0;
  }

  @Override
  public int cellLength(int column) {
    return cells[column].length;
  }
}
