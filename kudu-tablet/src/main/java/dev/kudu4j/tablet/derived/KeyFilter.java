package dev.kudu4j.tablet.derived;

import dev.kudu4j.common.key.KeyBuffer;
import dev.kudu4j.common.key.KeyDecoder;
import dev.kudu4j.common.partition.HashDimension;
import dev.kudu4j.common.partition.Partition;
import dev.kudu4j.common.partition.PartitionKeyEncoder;
import dev.kudu4j.common.partition.PartitionSchema;
import dev.kudu4j.common.row.ArrayCells;
import dev.kudu4j.common.schema.ColumnSchema;
import dev.kudu4j.common.schema.DataType;
import dev.kudu4j.common.schema.Schema;
import java.util.List;
import java.util.function.Predicate;

/**
 * Accepts the keys of base rows that are in one partition of an index, if keys alone decide. So
 * rows of other partitions need not be read. Not thread-safe.
 */
public final class KeyFilter implements Predicate<byte[]> {
  private final List<DataType> types; // of the base table's key
  private final Partition partition;
  private final PartitionKeyEncoder encoder;
  private final KeyBuffer partitionKey = new KeyBuffer();

  private KeyFilter(Schema base, Partition partition, PartitionKeyEncoder encoder) {
    this.types =
        base.columns().subList(0, base.keyColumnCount()).stream().map(ColumnSchema::type).toList();
    this.partition = partition;
    this.encoder = encoder;
  }

  /**
   * The filter of a partition; accepts all keys if they do not decide.
   *
   * @param base the base table's schema
   * @param layout of the index
   * @param partitioning of the index, by ids of columns
   */
  public static Predicate<byte[]> of(
      Schema base, DerivedLayout layout, PartitionSchema partitioning, Partition partition) {
    boolean decides =
        !partitioning.hashDimensions().isEmpty()
            && partitioning.rangeColumnIds().isEmpty()
            && partitioning.hashDimensions().stream()
                .map(HashDimension::columnIds)
                .allMatch(ids -> ids.stream().allMatch(id -> isKey(base, id)));
    if (!decides) {
      return key -> true;
    }
    int[] keyColumnOf =
        layout.schema().columns().stream()
            .mapToInt(column -> isKey(base, column.id()) ? base.indexOfId(column.id()) : -1)
            .toArray();
    return new KeyFilter(
        base, partition, new PartitionKeyEncoder(partitioning, layout.schema(), keyColumnOf));
  }

  private static boolean isKey(Schema base, int columnId) {
    int index = base.indexOfId(columnId);
    return index >= 0 && index < base.keyColumnCount();
  }

  @Override
  public boolean test(byte[] key) {
    ArrayCells cells = new ArrayCells(KeyDecoder.decode(types, key));
    partitionKey.clear();
    return encoder.append(cells, partitionKey) && partition.contains(partitionKey);
  }
}
