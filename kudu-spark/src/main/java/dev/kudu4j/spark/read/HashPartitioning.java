package dev.kudu4j.spark.read;

import dev.kudu4j.Schema;
import dev.kudu4j.client.KuduTable;
import dev.kudu4j.client.Partition;
import dev.kudu4j.client.PartitionSchema;
import dev.kudu4j.client.PartitionSchema.HashBucketSchema;
import dev.kudu4j.spark.catalog.TableDescription;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.connector.expressions.Expression;
import org.apache.spark.sql.connector.expressions.Expressions;
import org.apache.spark.sql.connector.read.partitioning.KeyGroupedPartitioning;
import org.apache.spark.sql.connector.read.partitioning.Partitioning;
import org.apache.spark.sql.connector.read.partitioning.UnknownPartitioning;

/**
 * The hash dimensions of a table in the form that Spark understands: {@code bucket(n, column)}, a
 * function of the catalog. All rows of a split have the same value of these functions, the key of
 * the split. So Spark joins and groups by the columns without moving rows.
 *
 * <p>Spark uses functions of one column only: it ignores a partitioning with any other function
 * ({@code KeyedPartitioning.supportsExpressions}). Left out are dimensions of several columns,
 * those with a seed, and those whose column the scan does not read; the key is then shorter, and
 * more splits have the same one. Tables in which ranges have their own hash schemas have no such
 * key.
 */
final class HashPartitioning {
  /**
   * @param index the index of the dimension in the table
   * @param bucket the function, for Spark
   */
  private record Dimension(int index, Expression bucket) {}

  private final List<Dimension> dimensions;

  private HashPartitioning(List<Dimension> dimensions) {
    this.dimensions = dimensions;
  }

  /**
   * @param read names of the columns that the scan reads
   */
  static HashPartitioning of(KuduTable table, List<String> read) {
    PartitionSchema partitions = table.getPartitionSchema();
    List<Dimension> dimensions = new ArrayList<>();
    if (partitions.getRangesWithHashSchemas().isEmpty()) {
      List<HashBucketSchema> all = partitions.getHashBucketSchemas();
      for (int i = 0; i < all.size(); i++) {
        HashBucketSchema hash = all.get(i);
        if (hash.getColumnIds().size() == 1 && hash.getSeed() == TableDescription.HASH_SEED) {
          String column = name(table.getSchema(), hash.getColumnIds().get(0));
          if (read.contains(column)) {
            dimensions.add(
                new Dimension(
                    i, Expressions.bucket(hash.getNumBuckets(), TableDescription.quoted(column))));
          }
        }
      }
    }
    return new HashPartitioning(List.copyOf(dimensions));
  }

  private static String name(Schema schema, int columnId) {
    return schema.getColumnByIndex(schema.getColumnIndex(columnId)).getName();
  }

  boolean isEmpty() {
    return dimensions.isEmpty();
  }

  /** The key of all rows in a partition. */
  int[] key(Partition partition) {
    List<Integer> buckets = partition.getHashBuckets();
    return dimensions.stream().mapToInt(dimension -> buckets.get(dimension.index())).toArray();
  }

  /**
   * The partitioning that Spark may use for these splits.
   *
   * <p>Spark then makes one task of all splits with the same key, before a join or an aggregation
   * by the columns. This saves a shuffle, but not at the cost of idle cores: with fewer keys than
   * cores, the partitioning is reported only if no two splits share a key. A single split is not
   * reported either, since it satisfies every requirement without a key.
   *
   * @param groupsEveryScan whether this version of Spark makes one task per key even if nothing
   *     needs it, as before Spark 4.2
   */
  Partitioning of(List<KuduSplit> splits, int cores, boolean groupsEveryScan) {
    long keys = splits.stream().map(split -> new Key(split.key())).distinct().count();
    boolean keepsTasks = keys == splits.size();
    boolean useful = keepsTasks || (!groupsEveryScan && keys >= cores);
    if (isEmpty() || splits.size() < 2 || !useful) {
      return new UnknownPartitioning(splits.size());
    }
    return new KeyGroupedPartitioning(
        dimensions.stream().map(Dimension::bucket).toArray(Expression[]::new), splits.size());
  }

  /**
   * Replaces splits by others of the same scan, with more filters. Spark requires that no key gets
   * more splits than it had. A key would get more if a tablet grew in the meantime; then the
   * previous splits of the key remain, which read more rows than necessary. A key that is new,
   * because its tablets belong to a new range, is left out.
   */
  static List<KuduSplit> narrowed(List<KuduSplit> previous, List<KuduSplit> filtered) {
    Map<Key, List<KuduSplit>> before = byKey(previous);
    List<KuduSplit> result = new ArrayList<>();
    byKey(filtered)
        .forEach(
            (key, splits) -> {
              List<KuduSplit> old = before.getOrDefault(key, List.of());
              result.addAll(splits.size() <= old.size() ? splits : old);
            });
    return result;
  }

  private static Map<Key, List<KuduSplit>> byKey(List<KuduSplit> splits) {
    Map<Key, List<KuduSplit>> byKey = new HashMap<>();
    for (KuduSplit split : splits) {
      byKey.computeIfAbsent(new Key(split.key()), key -> new ArrayList<>()).add(split);
    }
    return byKey;
  }

  /** The key of a split, comparable. */
  @SuppressWarnings("ArrayRecordComponent") // equals is overridden
  private record Key(int[] buckets) {
    @Override
    public boolean equals(Object other) {
      return other instanceof Key that && Arrays.equals(buckets, that.buckets);
    }

    @Override
    public int hashCode() {
      return Arrays.hashCode(buckets);
    }
  }
}
