package dev.kudu4j.common.partition;

import dev.kudu4j.common.key.KeyBuffer;
import dev.kudu4j.common.key.KeyEncoder;
import dev.kudu4j.common.key.RowKeyEncoder;
import dev.kudu4j.common.row.RowCells;
import dev.kudu4j.common.schema.DataType;
import dev.kudu4j.common.schema.Schema;
import java.util.List;

/**
 * Encodes the partition key of a row: the bucket of each hash dimension, then the range columns. A
 * row in a range with its own hash schema is hashed with that schema.
 *
 * <p>Allocates nothing per row. Contains a buffer, so only one thread may use it at a time.
 */
public final class PartitionKeyEncoder {
  private final PartitionSchema partitionSchema;
  private final RowKeyEncoder rangeEncoder;
  private final Hasher tableHasher;
  private final Hasher[] customHashers;
  private final KeyBuffer scratch = new KeyBuffer();

  /**
   * @param table the table's schema, with ids
   * @param columnOfTable the index of each column of {@code table} in the row's layout, or -1 if
   *     the layout lacks the column
   */
  public PartitionKeyEncoder(PartitionSchema partitionSchema, Schema table, int[] columnOfTable) {
    this.partitionSchema = partitionSchema;
    this.rangeEncoder = encoder(partitionSchema.rangeColumnIds(), table, columnOfTable);
    this.tableHasher = new Hasher(partitionSchema.hashDimensions(), table, columnOfTable);
    this.customHashers =
        partitionSchema.customRanges().stream()
            .map(range -> new Hasher(range.hashDimensions(), table, columnOfTable))
            .toArray(Hasher[]::new);
  }

  /**
   * Appends the partition key.
   *
   * @return false if a hash or range column is unset or NULL; the buffer then contains a partial
   *     key
   */
  public boolean append(RowCells row, KeyBuffer out) {
    Hasher hasher = tableHasher;
    if (customHashers.length > 0) {
      scratch.clear();
      if (!rangeEncoder.append(row, scratch)) {
        return false;
      }
      int custom = partitionSchema.customRangeOf(scratch.array(), 0, scratch.length());
      if (custom >= 0) {
        hasher = customHashers[custom];
      }
    }
    return hasher.append(row, scratch, out) && rangeEncoder.append(row, out);
  }

  private static RowKeyEncoder encoder(List<Integer> columnIds, Schema table, int[] columnOfTable) {
    DataType[] types = new DataType[columnIds.size()];
    int[] columns = new int[types.length];
    for (int i = 0; i < types.length; i++) {
      int index = table.indexOfId(columnIds.get(i));
      types[i] = table.column(index).type();
      columns[i] = columnOfTable[index];
      if (columns[i] < 0) {
        throw new IllegalArgumentException(
            "The rows lack key column " + table.column(index).name());
      }
    }
    return new RowKeyEncoder(types, columns);
  }

  /** All hash dimensions of one range. */
  private static final class Hasher {
    private final HashDimension[] dimensions;
    private final RowKeyEncoder[] encoders;

    Hasher(List<HashDimension> dimensions, Schema table, int[] columnOfTable) {
      this.dimensions = dimensions.toArray(new HashDimension[0]);
      this.encoders =
          dimensions.stream()
              .map(dimension -> encoder(dimension.columnIds(), table, columnOfTable))
              .toArray(RowKeyEncoder[]::new);
    }

    boolean append(RowCells row, KeyBuffer scratch, KeyBuffer out) {
      for (int i = 0; i < dimensions.length; i++) {
        scratch.clear();
        if (!encoders[i].append(row, scratch)) {
          return false;
        }
        int bucket = dimensions[i].bucketOf(scratch.array(), 0, scratch.length());
        KeyEncoder.appendUnsignedInt(bucket, out);
      }
      return true;
    }
  }
}
