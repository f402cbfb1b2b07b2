package dev.kudu4j.client.row;

import dev.kudu4j.common.key.KeyBuffer;
import dev.kudu4j.common.partition.PartitionKeyEncoder;
import dev.kudu4j.common.partition.PartitionSchema;
import dev.kudu4j.common.row.RowCells;
import dev.kudu4j.common.schema.Schema;

/** Encodes the partition keys of a table's rows, without an allocation per row. Not thread-safe. */
public final class RowPartitionKeys {
  private final Schema schema;
  private final PartitionKeyEncoder encoder;
  private final KeyBuffer key = new KeyBuffer();

  public RowPartitionKeys(PartitionSchema partitions, Schema schema) {
    this.schema = schema;
    int[] columns = new int[schema.columnCount()];
    for (int i = 0; i < columns.length; i++) {
      columns[i] = i;
    }
    this.encoder = new PartitionKeyEncoder(partitions, schema, columns);
  }

  /**
   * Encodes the key of a row, for {@link #last}.
   *
   * @throws IllegalStateException if a column of the key is not set
   */
  public void encodeNext(RowCells row) {
    key.clear();
    if (!encoder.append(row, key)) {
      throw new IllegalStateException("Primary key column " + unsetKeyColumn(row) + " is not set");
    }
  }

  /** The key encoded last; valid until the next key is encoded. */
  public KeyBuffer last() {
    return key;
  }

  /** Like {@link #encodeNext}; returns a copy of the key. */
  public byte[] encode(RowCells row) {
    encodeNext(row);
    return key.toByteArray();
  }

  private String unsetKeyColumn(RowCells row) {
    for (int column = 0; column < schema.keyColumnCount(); column++) {
      if (!row.hasCell(column)) {
        return schema.column(column).name();
      }
    }
    throw new IllegalStateException("All key columns are set");
  }
}
