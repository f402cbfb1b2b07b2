package dev.kudu4j.tablet.delta;

import dev.kudu4j.common.memory.Memory;

/**
 * Iterates over the cells of a {@link RowChange} in raw memory, which is borrowed. One instance
 * reads many changes. Not thread-safe.
 *
 * <pre>{@code
 * reader.open(Mutation.changeAddress(mutation), Mutation.changeLength(mutation));
 * while (reader.nextCell()) { ... reader.columnId(), reader.cellAddress() ... }
 * }</pre>
 */
public final class RowChangeReader {
  private byte kind;
  private int cellCount;
  private int cellsRead;
  private long first;
  private long end;
  private long cell;
  private long next;

  /** Moves before the first cell of a change. */
  public void open(long change, int length) {
    assert length >= RowChange.HEADER_BYTES;
    kind = RowChange.kind(change);
    cellCount = RowChange.cellCount(change);
    first = change + RowChange.HEADER_BYTES;
    end = change + length;
    rewind();
  }

  /** Moves back before the first cell. */
  public void rewind() {
    cellsRead = 0;
    next = first;
  }

  /** UPDATE, DELETE or REINSERT. */
  public byte kind() {
    return kind;
  }

  public int cellCount() {
    return cellCount;
  }

  /** Moves to the next cell; false at the end. */
  public boolean nextCell() {
    if (cellsRead == cellCount) {
      return false;
    }
    cellsRead++;
    cell = next;
    next = cellAddress() + cellLength();
    assert next <= end : "A cell extends beyond its change";
    return true;
  }

  /**
   * Searches from the first cell of the change and moves to the cell of the column; false if the
   * change does not set the column.
   */
  public boolean findCell(int columnId) {
    rewind();
    while (nextCell()) {
      if (columnId() == columnId) {
        return true;
      }
    }
    return false;
  }

  public int columnId() {
    return Memory.getInt(cell);
  }

  public boolean isNull() {
    return Memory.getInt(cell + 4) == RowChange.NULL_LENGTH;
  }

  /** The address of the cell form. */
  public long cellAddress() {
    return cell + RowChange.CELL_HEADER_BYTES;
  }

  /** The length of the cell form; 0 for a NULL. */
  public int cellLength() {
    return Math.max(0, Memory.getInt(cell + 4));
  }
}
