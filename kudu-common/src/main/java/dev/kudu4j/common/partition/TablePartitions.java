package dev.kudu4j.common.partition;

import dev.kudu4j.common.schema.Schema;
import dev.kudu4j.common.schema.SchemaException;
import dev.kudu4j.common.schema.SchemaException.Reason;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.common.status.StatusCode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * All partitions of a table. Computes them for a new table, and the changes when ranges are added
 * or dropped. Immutable: each change creates a new value.
 *
 * @param schema the partitioning of the table
 * @param partitions the partitions in ascending order of their start keys, without overlap
 */
public record TablePartitions(PartitionSchema schema, List<Partition> partitions) {
  /**
   * Maximum number of partitions of an added range, more than any cluster can hold. It limits the
   * memory that an absurd number of buckets would need.
   */
  private static final int MAX_PARTITIONS_OF_A_RANGE = 100_000;

  public TablePartitions {
    partitions = partitions.stream().sorted().toList();
  }

  /**
   * A change of one range.
   *
   * @param after the table's partitions after the change
   * @param changed the partitions that were added or dropped
   */
  public record Change(TablePartitions after, List<Partition> changed) {}

  /**
   * The partitions of a new table whose ranges all have the table's hash schema.
   *
   * @param bounds the ranges; an empty list means one unbounded range
   * @param splits encoded range keys that split the ranges
   * @throws KuduException INVALID_ARGUMENT if ranges overlap or a split is not inside a range
   * @throws SchemaException TOO_MANY_TABLETS if there are more than {@code maxPartitions}
   */
  public static TablePartitions create(
      PartitionSchema schema,
      Schema table,
      List<RangeBounds> bounds,
      List<byte[]> splits,
      int maxPartitions) {
    List<RangeBounds> whole = bounds.isEmpty() ? List.of(RangeBounds.UNBOUNDED) : sorted(bounds);
    checkNoOverlap(whole, schema, table);
    List<HashedRange> ranges = new ArrayList<>();
    for (RangeBounds range : split(whole, splits, schema, table)) {
      ranges.add(new HashedRange(range, schema.hashDimensions()));
    }
    return ofRanges(schema, ranges, maxPartitions);
  }

  /**
   * The partitions of a new table whose ranges have their own hash schemas.
   *
   * @throws KuduException INVALID_ARGUMENT if ranges overlap
   * @throws SchemaException TOO_MANY_TABLETS if there are more than {@code maxPartitions}
   */
  public static TablePartitions create(
      PartitionSchema schema, Schema table, List<HashedRange> ranges, int maxPartitions) {
    checkNoOverlap(sorted(ranges.stream().map(HashedRange::bounds).toList()), schema, table);
    return ofRanges(schema, ranges, maxPartitions);
  }

  /** The partitions of a new table without any range. */
  public static TablePartitions empty(PartitionSchema schema) {
    return new TablePartitions(schema, List.of());
  }

  /**
   * Adds a range partition.
   *
   * @throws KuduException ALREADY_PRESENT if the table has exactly this range; INVALID_ARGUMENT if
   *     it overlaps another range
   * @throws SchemaException INVALID_SCHEMA if its hash schema is invalid, TOO_MANY_TABLETS if no
   *     cluster could hold its partitions
   */
  public Change addRange(HashedRange range, Schema table) {
    schema.validateRangeHashing(range.hashDimensions(), table);
    checkCount(List.of(range), MAX_PARTITIONS_OF_A_RANGE);
    RangeBounds added = range.bounds();
    for (Partition partition : partitions) {
      RangeBounds existing = partition.rangeBounds();
      if (existing.equals(added)) {
        throw KuduException.alreadyPresent(
            "range partition already exists: %s", RangeText.of(added, schema, table));
      }
      if (existing.overlaps(added)) {
        throw KuduException.invalidArgument(
            "new range partition conflicts with existing one: %s",
            RangeText.of(added, schema, table));
      }
    }
    List<Partition> fresh = partitionsOf(range);
    List<Partition> all = new ArrayList<>(partitions);
    all.addAll(fresh);
    return new Change(new TablePartitions(schema.withRange(range), all), fresh);
  }

  /**
   * Drops a range partition.
   *
   * @throws KuduException INVALID_ARGUMENT if the table does not have exactly this range
   */
  public Change dropRange(RangeBounds bounds, Schema table) {
    List<Partition> dropped = new ArrayList<>();
    List<Partition> kept = new ArrayList<>();
    for (Partition partition : partitions) {
      (partition.rangeBounds().equals(bounds) ? dropped : kept).add(partition);
    }
    if (dropped.isEmpty()) {
      throw KuduException.invalidArgument(
          "no range partition to drop: %s", RangeText.of(bounds, schema, table));
    }
    return new Change(new TablePartitions(schema.withoutRange(bounds), kept), dropped);
  }

  private static List<RangeBounds> sorted(List<RangeBounds> bounds) {
    return bounds.stream().sorted().toList();
  }

  private static void checkNoOverlap(
      List<RangeBounds> sorted, PartitionSchema schema, Schema table) {
    for (int i = 1; i < sorted.size(); i++) {
      if (sorted.get(i - 1).overlaps(sorted.get(i))) {
        throw KuduException.invalidArgument(
            "overlapping range partitions: first range partition: %s, second range partition: %s",
            RangeText.of(sorted.get(i - 1), schema, table),
            RangeText.of(sorted.get(i), schema, table));
      }
    }
  }

  private static List<RangeBounds> split(
      List<RangeBounds> sorted, List<byte[]> splits, PartitionSchema schema, Schema table) {
    List<byte[]> keys = new ArrayList<>(splits);
    keys.sort(Arrays::compareUnsigned);
    List<RangeBounds> pieces = new ArrayList<>();
    int next = 0;
    for (RangeBounds range : sorted) {
      byte[] lower = range.lower();
      while (next < keys.size() && range.contains(keys.get(next), 0, keys.get(next).length)) {
        byte[] key = keys.get(next++);
        if (Arrays.equals(key, lower)) {
          boolean isBound = lower == range.lower();
          throw splitError(
              isBound ? "split matches lower or upper bound" : "duplicate split row",
              key,
              schema,
              table);
        }
        pieces.add(new RangeBounds(lower, key));
        lower = key;
      }
      pieces.add(new RangeBounds(lower, range.upper()));
      if (next < keys.size() && Arrays.compareUnsigned(keys.get(next), range.lower()) < 0) {
        break;
      }
    }
    if (next < keys.size()) {
      throw splitError("split out of bounds", keys.get(next), schema, table);
    }
    return pieces;
  }

  private static KuduException splitError(
      String problem, byte[] key, PartitionSchema schema, Schema table) {
    return KuduException.invalidArgument(
        "%s: %s", problem, RangeText.ofKey(key, schema.rangeColumns(table)));
  }

  private static TablePartitions ofRanges(
      PartitionSchema schema, List<HashedRange> ranges, int maxPartitions) {
    checkCount(ranges, maxPartitions);
    List<Partition> partitions = new ArrayList<>();
    PartitionSchema withRanges = schema;
    for (HashedRange range : ranges) {
      partitions.addAll(partitionsOf(range));
      withRanges = withRanges.withRange(range);
    }
    return new TablePartitions(withRanges, partitions);
  }

  private static void checkCount(List<HashedRange> ranges, int maxPartitions) {
    long count = 0;
    for (HashedRange range : ranges) {
      count += partitionCount(range, maxPartitions);
      if (count > maxPartitions) {
        throw SchemaException.of(
            Reason.TOO_MANY_TABLETS,
            StatusCode.INVALID_ARGUMENT,
            "the requested number of tablets is over the maximum permitted at creation time (%d);"
                + " additional tablets may be added by adding range partitions later",
            maxPartitions);
      }
    }
  }

  /**
   * The number of partitions of the range: the product of its bucket counts. A result above {@code
   * maxPartitions} is not exact.
   */
  private static long partitionCount(HashedRange range, int maxPartitions) {
    long count = 1;
    for (HashDimension dimension : range.hashDimensions()) {
      count *= dimension.bucketCount();
      if (count > maxPartitions) {
        break;
      }
    }
    return count;
  }

  /** One partition for each combination of buckets. */
  private static List<Partition> partitionsOf(HashedRange range) {
    List<HashDimension> dimensions = range.hashDimensions();
    List<Partition> partitions = new ArrayList<>();
    int[] buckets = new int[dimensions.size()];
    while (true) {
      partitions.add(Partition.of(buckets, range.bounds()));
      int i = buckets.length - 1;
      while (i >= 0 && ++buckets[i] == dimensions.get(i).bucketCount()) {
        buckets[i--] = 0;
      }
      if (i < 0) {
        return partitions;
      }
    }
  }
}
