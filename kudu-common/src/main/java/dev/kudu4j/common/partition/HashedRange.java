package dev.kudu4j.common.partition;

import java.util.List;

/** A range partition and how its rows are hashed. */
public record HashedRange(RangeBounds bounds, List<HashDimension> hashDimensions) {
  public HashedRange {
    hashDimensions = List.copyOf(hashDimensions);
  }
}
