package dev.kudu4j.client.index;

import dev.kudu4j.common.proto.tserver.ChecksumResponsePB;
import dev.kudu4j.common.status.KuduException;
import java.util.BitSet;

/**
 * The hashes of rows, added up in buckets by their primary keys. Two sets of rows are equal if
 * their sums are. Bucket i has the rows of the sample, with the seed 0, from i / {@link #BUCKETS}
 * to (i + 1) / {@link #BUCKETS}. Thread-safe.
 */
public final class RowSums {
  static final int BUCKET_BITS = 12;

  /** The number of buckets. */
  public static final int BUCKETS = 1 << BUCKET_BITS;

  private final long[] sums = new long[BUCKETS];
  private long rows;

  /** Adds the rows of one call. */
  synchronized void add(ChecksumResponsePB part) {
    if (part.getHashSumsCount() != BUCKETS) {
      throw KuduException.notSupported(
          "The tablet server does not know hash sums; update it, then compare the index");
    }
    for (int i = 0; i < BUCKETS; i++) {
      sums[i] += part.getHashSums(i);
    }
    rows += part.getRowsChecksummed();
  }

  /** Adds other rows, which no other thread changes. */
  synchronized void add(RowSums others) {
    for (int i = 0; i < BUCKETS; i++) {
      sums[i] += others.sums[i];
    }
    rows += others.rows;
  }

  public synchronized long rows() {
    return rows;
  }

  private synchronized long[] sums() {
    return sums.clone();
  }

  /** The buckets whose sums differ. */
  public BitSet differing(RowSums others) {
    long[] mine = sums();
    long[] theirs = others.sums();
    BitSet differing = new BitSet(BUCKETS);
    for (int i = 0; i < BUCKETS; i++) {
      differing.set(i, mine[i] != theirs[i]);
    }
    return differing;
  }
}
