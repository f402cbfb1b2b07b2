package dev.kudu4j.client.aggregate;

import java.util.Arrays;
import java.util.List;

/** A group of a {@link GroupTable}. Mutable, owned by the table. */
public final class Group {
  private final List<byte[]> key;
  private final Object[] values;

  /**
   * @param key the cells of the grouping columns; null for NULL
   * @param values see {@link #value}
   */
  Group(List<byte[]> key, Object[] values) {
    this.key = key;
    this.values = values;
  }

  byte[] key(int column) {
    return key.get(column);
  }

  List<byte[]> key() {
    return key;
  }

  /**
   * The value of an aggregate: a Long for COUNT, a cell for MIN and MAX of a column, else a
   * BigDecimal or a Double; null if there is none.
   */
  Object value(int aggregate) {
    return values[aggregate];
  }

  void set(int aggregate, Object value) {
    values[aggregate] = value;
  }

  /** The cells of grouping columns as the key of a map. */
  record Key(List<byte[]> cells, int hash) {
    static Key of(List<byte[]> cells) {
      int hash = 1;
      for (byte[] cell : cells) {
        hash = 31 * hash + Arrays.hashCode(cell);
      }
      return new Key(cells, hash);
    }

    @Override
    public int hashCode() {
      return hash;
    }

    @Override
    public boolean equals(Object other) {
      if (!(other instanceof Key that) || hash != that.hash) {
        return false;
      }
      for (int i = 0; i < cells.size(); i++) {
        if (!Arrays.equals(cells.get(i), that.cells.get(i))) {
          return false;
        }
      }
      return true;
    }
  }
}
