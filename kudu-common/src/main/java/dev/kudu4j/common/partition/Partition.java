package dev.kudu4j.common.partition;

import dev.kudu4j.common.key.KeyBuffer;
import dev.kudu4j.common.key.KeyEncoder;
import java.util.Arrays;
import java.util.HexFormat;

/**
 * The key range of one tablet: start ≤ partition key &lt; end, as unsigned bytes.
 *
 * <p>A partition key consists of the row's bucket in each hash dimension, four bytes big-endian
 * each, and the encoded range columns. An empty end means unbounded. With hash partitioning, the
 * end of a partition without an upper range bound consists of its buckets only, with the last
 * bucket incremented by one. The arrays are shared; nobody may change them.
 */
public final class Partition implements Comparable<Partition> {
  private final int[] hashBuckets;
  private final byte[] start;
  private final byte[] end;

  public Partition(int[] hashBuckets, byte[] start, byte[] end) {
    this.hashBuckets = hashBuckets.clone();
    this.start = start;
    this.end = end;
  }

  /** The partition of one range and one bucket in each hash dimension. */
  static Partition of(int[] hashBuckets, RangeBounds range) {
    byte[] start = key(hashBuckets, 0, range.lower());
    byte[] end;
    if (range.hasUpper()) {
      end = key(hashBuckets, 0, range.upper());
    } else {
      end = hashBuckets.length == 0 ? range.upper() : key(hashBuckets, 1, range.upper());
    }
    return new Partition(hashBuckets, start, end);
  }

  private static byte[] key(int[] buckets, int addedToLast, byte[] rangeKey) {
    KeyBuffer key = new KeyBuffer(buckets.length * Integer.BYTES + rangeKey.length);
    for (int i = 0; i < buckets.length; i++) {
      int bucket = i == buckets.length - 1 ? buckets[i] + addedToLast : buckets[i];
      KeyEncoder.appendUnsignedInt(bucket, key);
    }
    key.append(rangeKey, 0, rangeKey.length);
    return key.toByteArray();
  }

  public int hashDimensionCount() {
    return hashBuckets.length;
  }

  public int hashBucket(int dimension) {
    return hashBuckets[dimension];
  }

  /** Encoded partition key, inclusive. */
  public byte[] start() {
    return start;
  }

  /** Encoded partition key, exclusive; empty means unbounded. */
  public byte[] end() {
    return end;
  }

  /** The bounds without the hash buckets. */
  public RangeBounds rangeBounds() {
    return new RangeBounds(withoutBuckets(start), withoutBuckets(end));
  }

  private byte[] withoutBuckets(byte[] key) {
    return Arrays.copyOfRange(
        key, Math.min(key.length, hashBuckets.length * Integer.BYTES), key.length);
  }

  public boolean contains(byte[] partitionKey) {
    return contains(partitionKey, 0, partitionKey.length);
  }

  /** Whether the partition contains the key in the buffer. */
  public boolean contains(KeyBuffer partitionKey) {
    return contains(partitionKey.array(), 0, partitionKey.length());
  }

  /** Whether the partition contains the key at {@code [from, to)} of the array. */
  public boolean contains(byte[] partitionKey, int from, int to) {
    return Arrays.compareUnsigned(start, 0, start.length, partitionKey, from, to) <= 0
        && (end.length == 0
            || Arrays.compareUnsigned(end, 0, end.length, partitionKey, from, to) > 0);
  }

  /** Orders by start key. */
  @Override
  public int compareTo(Partition other) {
    return Arrays.compareUnsigned(start, other.start);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Partition that
        && Arrays.equals(hashBuckets, that.hashBuckets)
        && Arrays.equals(start, that.start)
        && Arrays.equals(end, that.end);
  }

  @Override
  public int hashCode() {
    return 31 * Arrays.hashCode(start) + Arrays.hashCode(end);
  }

  @Override
  public String toString() {
    HexFormat hex = HexFormat.of();
    return "[" + hex.formatHex(start) + ", " + hex.formatHex(end) + ")";
  }
}
