package dev.kudu4j.tablet.scan.aggregate;

import dev.kudu4j.common.memory.Memory;
import dev.kudu4j.tablet.batch.ColumnVector;
import dev.kudu4j.tablet.scan.block.RowBlock;
import dev.kudu4j.tablet.scan.expression.RowChunk;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A grouping column. Numbers its distinct values in order of appearance, and returns a code for
 * each row of a chunk. If the page has a dictionary, the code is the row's dictionary code, and
 * {@link #numberOf} maps it to the number of the value. Otherwise the code is the number of the
 * value.
 */
final class GroupColumn implements RowBlock.Dictionary {
  /** The approximate memory of a value besides its bytes: arrays, keys and map entries. */
  private static final int VALUE_BYTES = 120;

  private final int column;
  private final int[] codes = new int[RowChunk.MAX_ROWS];
  private final Map<CellKey, Integer> numbers = new HashMap<>();
  private final List<byte[]> values = new ArrayList<>();
  private final CellKey probe = new CellKey();
  private int nullNumber = -1;
  private long bytes;

  private Object dictionaryOf;
  private int dictionaryPage;
  private int[] numberOfCode = new int[0];
  private int dictionarySize;
  private long codeVersion; // changes when a code may stand for another value
  private boolean direct;

  GroupColumn(int column) {
    this.column = column;
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
      if (nullNumber < 0) {
        nullNumber = add(null);
      }
      return nullNumber;
    }
    probe.set(cells.cellAddress(row), cells.cellLength(row));
    Integer known = numbers.get(probe);
    if (known == null) {
      CellKey key = probe.copy();
      known = add(key.bytes);
      numbers.put(key, known);
    }
    return known;
  }

  private int add(byte[] value) {
    bytes += VALUE_BYTES + (value == null ? 0 : value.length);
    values.add(value);
    return values.size() - 1;
  }

  /** The exclusive upper bound of codes. */
  int codeCount() {
    return direct ? values.size() : dictionarySize;
  }

  /** A number that changes whenever a code may start to stand for another value. */
  long codeVersion() {
    return codeVersion;
  }

  /** The number of the value that a code stands for. */
  int numberOf(int code) {
    return direct ? code : numberOfCode[code];
  }

  /** The approximate memory of the values. */
  long bytes() {
    return bytes;
  }

  int valueCount() {
    return values.size();
  }

  /** The value with the number; null for NULL. */
  byte[] value(int number) {
    return values.get(number);
  }

  /** The bytes of a cell as a map key. */
  private static final class CellKey {
    private byte[] bytes = new byte[16];
    private int length;
    private int hash;

    void set(long address, int cellLength) {
      length = cellLength;
      if (bytes.length < length) {
        bytes = new byte[2 * length];
      }
      Memory.copy(address, bytes, 0, length);
      int mixed = 1;
      for (int i = 0; i < length; i++) {
        mixed = 31 * mixed + bytes[i];
      }
      hash = mixed;
    }

    CellKey copy() {
      CellKey copy = new CellKey();
      copy.bytes = Arrays.copyOf(bytes, length);
      copy.length = length;
      copy.hash = hash;
      return copy;
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof CellKey key
          && Arrays.equals(bytes, 0, length, key.bytes, 0, key.length);
    }

    @Override
    public int hashCode() {
      return hash;
    }
  }
}
