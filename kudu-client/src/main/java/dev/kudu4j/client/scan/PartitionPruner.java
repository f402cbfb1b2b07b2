package dev.kudu4j.client.scan;

import dev.kudu4j.common.key.KeyBuffer;
import dev.kudu4j.common.key.KeyEncoder;
import dev.kudu4j.common.partition.HashDimension;
import dev.kudu4j.common.partition.HashedRange;
import dev.kudu4j.common.partition.PartitionSchema;
import dev.kudu4j.common.predicate.ColumnPredicate;
import dev.kudu4j.common.predicate.ColumnPredicate.Equality;
import dev.kudu4j.common.predicate.ColumnPredicate.InList;
import dev.kudu4j.common.schema.ColumnSchema;
import dev.kudu4j.common.schema.Schema;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Finds the intervals of partition keys that can contain rows of a scan; tablets outside of them
 * are skipped.
 *
 * <p>A partition key is the bucket of each hash dimension, then the range columns. Predicates and
 * primary-key bounds limit the range part to one interval; equalities and lists on all columns of a
 * dimension limit its buckets. The interval is first split at the bounds of ranges with their own
 * hash schema, because their buckets differ; then each piece is listed once for each combination of
 * buckets:
 *
 * <pre>
 *   bucket 2: |.....####...|      # = keys of the range part that can match
 *   bucket 5: |.....####...|
 * </pre>
 *
 * <p>If the range part is not limited, the dimensions after the last limited one are not
 * enumerated. Pure functions.
 */
public final class PartitionPruner {
  /**
   * Maximum number of combinations of listed values to hash; with more, all buckets are visited.
   */
  private static final int MAX_HASHED_VALUES = 10_000;

  private final Schema table;
  private final PartitionSchema partitions;
  private final Map<String, ColumnPredicate> predicates = new HashMap<>();
  private final List<KeyInterval> found = new ArrayList<>();

  private PartitionPruner(
      Schema table, PartitionSchema partitions, List<ColumnPredicate> predicates) {
    this.table = table;
    this.partitions = partitions;
    predicates.forEach(predicate -> this.predicates.put(predicate.column().name(), predicate));
  }

  /**
   * The intervals to visit, ascending, without overlap; none if nothing can match.
   *
   * @param table the schema of the table, with column ids
   * @param predicates merged: at most one per column
   * @param lowerKey encoded primary key, inclusive; null for none
   * @param upperKey encoded primary key, exclusive; null for none
   * @param within partition keys that the caller limits the scan to
   */
  public static List<KeyInterval> prune(
      Schema table,
      PartitionSchema partitions,
      List<ColumnPredicate> predicates,
      byte[] lowerKey,
      byte[] upperKey,
      KeyInterval within) {
    boolean nothing =
        predicates.stream().anyMatch(ColumnPredicate.None.class::isInstance)
            || (lowerKey != null
                && upperKey != null
                && Arrays.compareUnsigned(lowerKey, upperKey) >= 0);
    if (nothing || within.isEmpty()) {
      return List.of();
    }
    return new PartitionPruner(table, partitions, predicates)
        .visit(lowerKey, upperKey).stream()
            .map(within::intersect)
            .filter(interval -> !interval.isEmpty())
            .toList();
  }

  private List<KeyInterval> visit(byte[] lowerKey, byte[] upperKey) {
    KeyInterval range = rangeKeys(lowerKey, upperKey);
    if (range.isEmpty()) {
      return List.of();
    }
    boolean wholeRange = range.equals(KeyInterval.ALL);
    if (wholeRange && !isAnyDimensionLimited()) {
      return List.of(KeyInterval.ALL);
    }
    byte[] from = range.start();
    for (HashedRange custom : partitions.customRanges()) {
      KeyInterval bounds = new KeyInterval(custom.bounds().lower(), custom.bounds().upper());
      KeyInterval inside = range.intersect(bounds);
      if (inside.isEmpty()) {
        continue;
      }
      addIfNotEmpty(new KeyInterval(from, inside.start()), partitions.hashDimensions());
      add(inside, custom.hashDimensions());
      if (!inside.hasEnd()) {
        return KeyInterval.merged(found);
      }
      from = inside.end();
    }
    add(new KeyInterval(from, range.end()), partitions.hashDimensions());
    return KeyInterval.merged(found);
  }

  /**
   * Adds the gap before a custom range. An empty end of {@code gap} means here that the custom
   * range starts at the first key, so that there is no gap.
   */
  private void addIfNotEmpty(KeyInterval gap, List<HashDimension> dimensions) {
    if (gap.hasEnd()) {
      add(gap, dimensions);
    }
  }

  private KeyInterval rangeKeys(byte[] lowerKey, byte[] upperKey) {
    List<ColumnSchema> columns = partitions.rangeColumns(table);
    KeyInterval keys = KeyBounds.ofPredicates(columns, predicates);
    List<ColumnSchema> primaryKey = table.columns().subList(0, table.keyColumnCount());
    if (!KeyOrder.rangesFollowKeys(table, partitions)) {
      return keys;
    }
    return keys.intersect(KeyBounds.ofPrimaryKeys(primaryKey, columns.size(), lowerKey, upperKey));
  }

  private boolean isAnyDimensionLimited() {
    return partitions.hashDimensions().stream().anyMatch(this::isLimited)
        || partitions.customRanges().stream()
            .anyMatch(range -> range.hashDimensions().stream().anyMatch(this::isLimited));
  }

  private boolean isLimited(HashDimension dimension) {
    return dimension.columnIds().stream()
        .map(id -> predicates.get(table.column(table.indexOfId(id)).name()))
        .allMatch(predicate -> predicate instanceof Equality || predicate instanceof InList);
  }

  /** Lists an interval of range keys once for each combination of buckets. */
  private void add(KeyInterval range, List<HashDimension> dimensions) {
    if (range.isEmpty()) {
      return;
    }
    List<BitSet> buckets = dimensions.stream().map(this::buckets).toList();
    int enumeratedDimensions = dimensions.size();
    if (range.equals(KeyInterval.ALL)) {
      while (enumeratedDimensions > 0
          && buckets.get(enumeratedDimensions - 1).cardinality()
              == dimensions.get(enumeratedDimensions - 1).bucketCount()) {
        enumeratedDimensions--;
      }
    }
    combine(buckets.subList(0, enumeratedDimensions), new int[enumeratedDimensions], 0, range);
  }

  private void combine(List<BitSet> buckets, int[] chosen, int dimension, KeyInterval range) {
    if (dimension == chosen.length) {
      found.add(interval(chosen, range));
      return;
    }
    BitSet wanted = buckets.get(dimension);
    for (int b = wanted.nextSetBit(0); b >= 0; b = wanted.nextSetBit(b + 1)) {
      chosen[dimension] = b;
      combine(buckets, chosen, dimension + 1, range);
    }
  }

  private static KeyInterval interval(int[] buckets, KeyInterval range) {
    byte[] start = key(buckets, 0, range.start());
    if (range.hasEnd()) {
      return new KeyInterval(start, key(buckets, 0, range.end()));
    }
    return new KeyInterval(start, buckets.length == 0 ? range.end() : key(buckets, 1, range.end()));
  }

  private static byte[] key(int[] buckets, int addedToLast, byte[] rangeKey) {
    KeyBuffer key = new KeyBuffer(buckets.length * Integer.BYTES + rangeKey.length);
    for (int i = 0; i < buckets.length; i++) {
      boolean last = i == buckets.length - 1;
      KeyEncoder.appendUnsignedInt(buckets[i] + (last ? addedToLast : 0), key);
    }
    key.append(rangeKey, 0, rangeKey.length);
    return key.toByteArray();
  }

  /** The buckets that can contain matching rows. */
  private BitSet buckets(HashDimension dimension) {
    BitSet buckets = new BitSet(dimension.bucketCount());
    List<ColumnSchema> columns =
        dimension.columnIds().stream().map(id -> table.column(table.indexOfId(id))).toList();
    long combinations = 1;
    for (ColumnSchema column : columns) {
      List<byte[]> values = values(predicates.get(column.name()));
      combinations = Math.min(combinations * values.size(), MAX_HASHED_VALUES + 1L);
    }
    if (combinations == 0 || combinations > MAX_HASHED_VALUES) {
      buckets.set(0, dimension.bucketCount());
    } else {
      hash(dimension, columns, 0, new KeyBuffer(), buckets);
    }
    return buckets;
  }

  private void hash(
      HashDimension dimension,
      List<ColumnSchema> columns,
      int index,
      KeyBuffer key,
      BitSet buckets) {
    if (index == columns.size()) {
      buckets.set(dimension.bucketOf(key.array(), 0, key.length()));
      return;
    }
    int length = key.length();
    ColumnSchema column = columns.get(index);
    for (byte[] cell : values(predicates.get(column.name()))) {
      key.truncate(length);
      boolean last = index == columns.size() - 1;
      KeyEncoder.appendCell(column.type(), cell, 0, cell.length, last, key);
      hash(dimension, columns, index + 1, key, buckets);
    }
  }

  /** The values that a column can have; empty if they cannot be listed. */
  private static List<byte[]> values(ColumnPredicate predicate) {
    if (predicate instanceof Equality equality) {
      return List.of(equality.value());
    }
    return predicate instanceof InList list ? list.values() : List.of();
  }
}
