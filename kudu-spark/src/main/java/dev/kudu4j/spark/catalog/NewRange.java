package dev.kudu4j.spark.catalog;

import dev.kudu4j.client.AlterTableOptions;
import dev.kudu4j.client.CreateTableOptions;
import dev.kudu4j.client.PartialRow;
import dev.kudu4j.client.RangePartition;
import dev.kudu4j.client.RangePartitionBound;
import dev.kudu4j.client.RangePartitionWithCustomHashSchema;
import java.util.List;

/**
 * A range that a statement adds or drops.
 *
 * @param lower no column is set if the range is unbounded below; {@code upper} likewise
 * @param hashing the hash dimensions of the range; empty if they are those of the table
 */
record NewRange(
    PartialRow lower,
    PartialRow upper,
    RangePartitionBound lowerType,
    RangePartitionBound upperType,
    List<Hashing> hashing) {
  /** A hash dimension. */
  record Hashing(List<String> columns, int buckets) {}

  NewRange(
      PartialRow lower,
      PartialRow upper,
      RangePartitionBound lowerType,
      RangePartitionBound upperType) {
    this(lower, upper, lowerType, upperType, List.of());
  }

  NewRange hashedBy(List<Hashing> own) {
    return new NewRange(lower, upper, lowerType, upperType, own);
  }

  boolean hasOwnHashing() {
    return !hashing.isEmpty();
  }

  RangePartition bounds() {
    return new RangePartition(lower, upper, lowerType, upperType);
  }

  void addTo(CreateTableOptions options) {
    if (hasOwnHashing()) {
      options.addRangePartition(hashed());
    } else {
      options.addRangePartition(lower, upper, lowerType, upperType);
    }
  }

  void addTo(AlterTableOptions options) {
    if (hasOwnHashing()) {
      options.addRangePartition(hashed());
    } else {
      options.addRangePartition(lower, upper, lowerType, upperType);
    }
  }

  private RangePartitionWithCustomHashSchema hashed() {
    RangePartitionWithCustomHashSchema range =
        new RangePartitionWithCustomHashSchema(lower, upper, lowerType, upperType);
    hashing.forEach(
        by -> range.addHashPartitions(by.columns(), by.buckets(), TableDescription.HASH_SEED));
    return range;
  }
}
