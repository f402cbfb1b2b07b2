package dev.kudu4j.client;

import dev.kudu4j.CellForm;
import dev.kudu4j.ColumnSchema;
import dev.kudu4j.Schema;
import dev.kudu4j.client.cluster.PartitionKeyText;
import dev.kudu4j.common.key.KeyDecoder;
import dev.kudu4j.common.partition.RangeBounds;
import java.util.ArrayList;
import java.util.List;

/**
 * One tablet's slice of a table's rows: a bucket of each hash dimension and a range. Ordered by
 * partition key.
 */
public final class Partition implements Comparable<Partition> {
  private final dev.kudu4j.common.partition.Partition partition;

  /**
   * @param partitionKeyStart encoded, inclusive; empty for unbounded
   * @param partitionKeyEnd encoded, exclusive; empty for unbounded
   */
  public Partition(byte[] partitionKeyStart, byte[] partitionKeyEnd, List<Integer> hashBuckets) {
    this(
        new dev.kudu4j.common.partition.Partition(
            hashBuckets.stream().mapToInt(Integer::intValue).toArray(),
            partitionKeyStart,
            partitionKeyEnd));
  }

  Partition(dev.kudu4j.common.partition.Partition partition) {
    this.partition = partition;
  }

  dev.kudu4j.common.partition.Partition toCommon() {
    return partition;
  }

  public byte[] getPartitionKeyStart() {
    return partition.start();
  }

  public byte[] getPartitionKeyEnd() {
    return partition.end();
  }

  /** The part of the start key after the hash buckets: the encoded range columns. */
  public byte[] getRangeKeyStart() {
    return partition.rangeBounds().lower();
  }

  /** The part of the end key after the hash buckets: the encoded range columns. */
  public byte[] getRangeKeyEnd() {
    return partition.rangeBounds().upper();
  }

  /** The range's lower bound, inclusive; a row with no column set if unbounded. */
  public PartialRow getDecodedRangeKeyStart(KuduTable table) {
    return decode(getRangeKeyStart(), table);
  }

  /** The range's upper bound, exclusive; a row with no column set if unbounded. */
  public PartialRow getDecodedRangeKeyEnd(KuduTable table) {
    return decode(getRangeKeyEnd(), table);
  }

  private static PartialRow decode(byte[] rangeKey, KuduTable table) {
    return decode(rangeKey, table.getSchema(), table.partitions());
  }

  /** Decodes an encoded range key into a row. */
  static PartialRow decode(
      byte[] rangeKey, Schema schema, dev.kudu4j.common.partition.PartitionSchema partitions) {
    PartialRow row = schema.newPartialRow();
    if (rangeKey.length > 0) {
      byte[][] cells = KeyDecoder.decode(partitions.rangeTypes(schema.toCommon()), rangeKey);
      for (int i = 0; i < cells.length; i++) {
        int index = schema.toCommon().indexOfId(partitions.rangeColumnIds().get(i));
        ColumnSchema column = schema.getColumnByIndex(index);
        row.addObject(index, CellForm.value(column, cells[i], 0, cells[i].length));
      }
    }
    return row;
  }

  public List<Integer> getHashBuckets() {
    List<Integer> buckets = new ArrayList<>();
    for (int i = 0; i < partition.hashDimensionCount(); i++) {
      buckets.add(partition.hashBucket(i));
    }
    return buckets;
  }

  /** Whether the end of the partition is unbounded. */
  public boolean isEndPartition() {
    return partition.end().length == 0;
  }

  /**
   * Whether this is bucket 0 of every hash dimension; each range has exactly one such partition.
   */
  boolean isFirstOfItsRange() {
    for (int i = 0; i < partition.hashDimensionCount(); i++) {
      if (partition.hashBucket(i) != 0) {
        return false;
      }
    }
    return true;
  }

  RangeBounds rangeBounds() {
    return partition.rangeBounds();
  }

  @Override
  public int compareTo(Partition other) {
    return partition.compareTo(other.partition);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Partition that && partition.equals(that.partition);
  }

  @Override
  public int hashCode() {
    return partition.hashCode();
  }

  @Override
  public String toString() {
    return PartitionKeyText.ofRange(partition.start(), partition.end());
  }
}
