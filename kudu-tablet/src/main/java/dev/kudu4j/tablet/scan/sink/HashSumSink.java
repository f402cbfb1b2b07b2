package dev.kudu4j.tablet.scan.sink;

import dev.kudu4j.common.expression.SampleHash;
import dev.kudu4j.tablet.batch.CellHasher;
import dev.kudu4j.tablet.batch.ColumnBatch;

/**
 * Adds up the hashes of rows, in buckets, to find out where two sets of rows differ. The result
 * does not depend on the order of rows, or on which columns are nullable.
 *
 * <p>The hash is {@link SampleHash}, with the seed 0. After the first columns of a row, its place
 * selects the bucket: of 2^b buckets, number i has the rows of the sample from i / 2^b to (i + 1) /
 * 2^b. After all columns, the hash is added to the sum of the bucket.
 *
 * <p>The sum of {@link ChecksumSink} would not do: CRC-32C is linear, so if two rows have exchanged
 * their cells, the sum is the same more often than by chance.
 */
public final class HashSumSink implements BatchSink {
  /** The most buckets that one sink can have, as a power of two. */
  public static final int MAX_BUCKET_BITS = 16;

  private final int bucketColumns;
  private final int bucketShift;
  private final long[] sums;
  private final long[] hashes = new long[Long.SIZE];
  private final int[] buckets = new int[Long.SIZE];
  private long rowCount;

  /**
   * @param bucketColumns how many of the first columns select the bucket; at least 1
   * @param bucketBits the number of buckets, as a power of two
   */
  public HashSumSink(int bucketColumns, int bucketBits) {
    this.bucketColumns = bucketColumns;
    this.bucketShift = SampleHash.PLACE_BITS - bucketBits;
    this.sums = new long[1 << bucketBits];
  }

  @Override
  public void add(ColumnBatch batch) {
    for (int row = 0; row < batch.rowCount(); row += Long.SIZE) {
      add(batch, row, Math.min(Long.SIZE, batch.rowCount() - row));
    }
    rowCount += batch.rowCount();
  }

  /** Adds up to 64 rows. */
  private void add(ColumnBatch batch, int firstRow, int count) {
    long rows = -1L >>> (Long.SIZE - count);
    for (int i = 0; i < count; i++) {
      hashes[i] = SampleHash.start(0);
    }
    for (int column = 0; column < batch.schema().columnCount(); column++) {
      CellHasher.add(batch.column(column), firstRow, rows, hashes);
      if (column == bucketColumns - 1) {
        chooseBuckets(count);
      }
    }
    for (int i = 0; i < count; i++) {
      sums[buckets[i]] += hashes[i];
    }
  }

  private void chooseBuckets(int count) {
    for (int i = 0; i < count; i++) {
      buckets[i] = (int) (SampleHash.place(hashes[i]) >>> bucketShift);
    }
  }

  @Override
  public long rowCount() {
    return rowCount;
  }

  /** The sums modulo 2^64, one per bucket. */
  public long[] sums() {
    return sums.clone();
  }
}
