package dev.kudu4j.common.partition;

import java.util.List;

/** A range partition and the hash dimensions of its rows. */
public record HashedRange(RangeBounds bounds, List<HashDimension> hashDimensions) {
  public HashedRange {
    hashDimensions = List.copyOf(hashDimensions);
  }
}
