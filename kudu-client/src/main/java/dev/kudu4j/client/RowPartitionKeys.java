package dev.kudu4j.client;

import dev.kudu4j.ColumnSchema;
import dev.kudu4j.common.key.KeyBuffer;
import dev.kudu4j.common.partition.PartitionKeyEncoder;
import dev.kudu4j.common.row.RowCells;

/**
 * Encodes the partition keys of a table's rows, one after the other, without an allocation for
 * each. Not thread-safe.
 */
final class RowPartitionKeys {
  private final PartitionKeyEncoder encoder;
  private final KeyBuffer key = new KeyBuffer();
  private final Cells cells = new Cells();

  private RowPartitionKeys(PartitionKeyEncoder encoder) {
    this.encoder = encoder;
  }

  static RowPartitionKeys of(KuduTable table) {
    var schema = table.getSchema().toCommon();
    int[] columns = new int[schema.columnCount()];
    for (int i = 0; i < columns.length; i++) {
      columns[i] = i;
    }
    return new RowPartitionKeys(new PartitionKeyEncoder(table.partitions(), schema, columns));
  }

  /**
   * Encodes the key of a row, for {@link #last}.
   *
   * @throws IllegalStateException when a column of it is not set
   */
  void encodeNext(PartialRow row) {
    key.clear();
    cells.row = row;
    if (!encoder.append(cells, key)) {
      throw new IllegalStateException("Primary key column " + unsetKeyColumn(row) + " is not set");
    }
  }

  /** The key encoded last, until the next one. */
  KeyBuffer last() {
    return key;
  }

  /** As {@link #encodeNext}; the bytes are the caller's. */
  byte[] encode(PartialRow row) {
    encodeNext(row);
    return key.toByteArray();
  }

  private static String unsetKeyColumn(PartialRow row) {
    for (ColumnSchema column : row.getSchema().getPrimaryKeyColumns()) {
      if (!row.isSet(column.getName())) {
        return column.getName();
      }
    }
    throw new IllegalStateException("All key columns are set in " + row);
  }

  /** A row as key encoding sees it; one object for all rows. */
  private static final class Cells implements RowCells {
    private PartialRow row;

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
}
