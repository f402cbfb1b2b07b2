package dev.kudu4j.tablet.scan.aggregate;

import dev.kudu4j.common.memory.Memory;
import dev.kudu4j.common.schema.DataType;
import dev.kudu4j.common.schema.FloatingCells;
import dev.kudu4j.tablet.batch.ColumnVector;
import dev.kudu4j.tablet.scan.block.RowBlock;
import dev.kudu4j.tablet.scan.expression.RowChunk;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * A grouping column. Numbers its distinct values in order of appearance, and returns a code for
 * each row of a chunk. If the page has a dictionary, the code is the row's dictionary code, and
 * {@link #numberOf} maps it to the number of the value. Otherwise the code is the number of the
 * value.
 */
final class GroupColumn implements RowBlock.Dictionary {
  private static final int NONE = -1;

  private final int column;
  private final DataType type;
  private final int[] codes = new int[RowChunk.MAX_ROWS];
  private final CellNumbers values = new CellNumbers();

  private @Nullable Object dictionaryOf;
  private int dictionaryPage;
  private int[] numberOfCode = new int[0];
  private int dictionarySize;
  private long codeVersion; // changes when a code may stand for another value
  private boolean direct;
  private int zero = NONE; // the numbers of all zeros and of all NaN of a floating column
  private int nan = NONE;

  GroupColumn(int column, DataType type) {
    this.column = column;
    this.type = type;
  }

  @Override
  public boolean isOf(Object owner, int page) {
    return dictionaryOf == owner && dictionaryPage == page;
  }

  @Override
  public void load(Object owner, int page, ColumnVector entries) {
    dictionaryOf = owner;
    dictionaryPage = page;
    dictionarySize = entries.rowCount();
    if (numberOfCode.length < dictionarySize) {
      numberOfCode = new int[dictionarySize];
    }
    boolean same = true;
    for (int code = 0; code < dictionarySize; code++) {
      int number = number(entries, code);
      same &= numberOfCode[code] == number;
      numberOfCode[code] = number;
    }
    codeVersion += same ? 0 : 1;
  }

  /** The codes of the chunk's rows; undefined for rows that are not selected. */
  int[] codes(RowChunk chunk) throws IOException {
    RowBlock rows = chunk.rows();
    boolean coded = rows.readCodes(column, chunk.from(), chunk.span(), this, codes);
    if (coded == direct) {
      direct = !coded;
      codeVersion++;
    }
    if (!coded) {
      numberRows(chunk);
    } else if (chunk.isPicked()) {
      int[] picks = chunk.picks();
      for (int i = 0; i < chunk.count(); i++) {
        codes[i] = codes[picks[i]];
      }
    }
    return codes;
  }

  private void numberRows(RowChunk chunk) throws IOException {
    ColumnVector cells = chunk.rows().cells(column);
    int first = chunk.rows().firstRow(column);
    for (int i = 0; i < chunk.count(); i++) {
      int row = chunk.row(i);
      codes[i] = chunk.rows().selection().isSelected(row) ? number(cells, row - first) : 0;
    }
  }

  private int number(ColumnVector cells, int row) {
    if (cells.isNull(row)) {
      return values.ofNull();
    }
    long address = cells.cellAddress(row);
    return type.isFloating() ? floating(address) : values.of(address, cells.cellLength(row));
  }

  private int floating(long address) {
    double value =
        type == DataType.FLOAT
            ? Float.intBitsToFloat(Memory.getInt(address))
            : Double.longBitsToDouble(Memory.getLong(address));
    if (value == 0) {
      zero = zero == NONE ? values.add(FloatingCells.zero(type)) : zero;
      return zero;
    }
    if (Double.isNaN(value)) {
      nan = nan == NONE ? values.add(FloatingCells.nan(type)) : nan;
      return nan;
    }
    return values.of(address, type.width());
  }

  /** The exclusive upper bound of codes. */
  int codeCount() {
    return direct ? values.count() : dictionarySize;
  }

  /** A number that changes whenever a code may start to stand for another value. */
  long codeVersion() {
    return codeVersion;
  }

  /** The number of the value that a code stands for. */
  int numberOf(int code) {
    return direct ? code : numberOfCode[code];
  }

  /** The memory of the values. */
  long bytes() {
    return values.bytes();
  }

  /** The memory for a chunk and for the dictionary of its page. */
  long chunkBytes() {
    return (long) Integer.BYTES * (codes.length + numberOfCode.length);
  }

  int valueCount() {
    return values.count();
  }

  /** The value with the number; null for NULL. */
  byte @Nullable [] value(int number) {
    return values.cell(number);
  }
}
