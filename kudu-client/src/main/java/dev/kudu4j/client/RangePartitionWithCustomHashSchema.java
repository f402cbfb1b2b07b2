package dev.kudu4j.client;

import dev.kudu4j.common.proto.common.PartitionSchemaPB.HashBucketSchemaPB;
import dev.kudu4j.common.proto.common.PartitionSchemaPB.RangeWithHashSchemaPB;
import java.util.ArrayList;
import java.util.List;

/**
 * A range partition with its own hash schema. The range is not hashed unless {@link
 * #addHashPartitions} is called.
 */
public final class RangePartitionWithCustomHashSchema extends RangePartition {
  private final List<HashBucketSchemaPB> hashing = new ArrayList<>();

  public RangePartitionWithCustomHashSchema(
      PartialRow lowerBound,
      PartialRow upperBound,
      RangePartitionBound lowerBoundType,
      RangePartitionBound upperBoundType) {
    super(lowerBound, upperBound, lowerBoundType, upperBoundType);
  }

  /** Adds a hash dimension. */
  public RangePartition addHashPartitions(List<String> columns, int numBuckets, int seed) {
    hashing.add(PartitionMessages.hashing(columns, numBuckets, seed));
    return this;
  }

  List<HashBucketSchemaPB> hashing() {
    return hashing;
  }

  /** The protobuf message. */
  public RangeWithHashSchemaPB toPB() {
    return RangeWithHashSchemaPB.newBuilder()
        .setRangeBounds(toWire())
        .addAllHashSchema(hashing)
        .build();
  }
}
