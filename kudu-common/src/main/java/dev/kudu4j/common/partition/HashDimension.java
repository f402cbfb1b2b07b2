package dev.kudu4j.common.partition;

import java.util.List;

/**
 * A hash dimension: columns that are hashed together into buckets.
 *
 * @param columnIds the ids of the columns in ascending order, which is the order of encoding and
 *     hashing
 * @param bucketCount the number of buckets, at least 2
 * @param seed unsigned 32-bit number
 */
public record HashDimension(List<Integer> columnIds, int bucketCount, int seed) {
  public HashDimension {
    columnIds = columnIds.stream().sorted().toList();
  }

  /** The bucket of a row, given the encoded columns of this dimension. */
  public int bucketOf(byte[] bytes, int offset, int length) {
    return (int)
        Long.remainderUnsigned(MurmurHash2.hash64(bytes, offset, length, seed), bucketCount);
  }
}
