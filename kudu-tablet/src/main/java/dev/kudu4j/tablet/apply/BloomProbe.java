package dev.kudu4j.tablet.apply;

import dev.kudu4j.tablet.bloom.BloomChunk;
import dev.kudu4j.tablet.bloom.KeyHash;
import dev.kudu4j.tablet.cache.Page;
import dev.kudu4j.tablet.components.RowSetTree;
import java.io.IOException;
import java.util.Arrays;

/**
 * Determines which rows of a request are certainly absent from all rowsets on disk. Before the
 * first row is applied, it finds and pins the Bloom filter chunks of up to {@link #PROBES_AT_ONCE}
 * probes, and then probes all of them in one loop. Each probe causes a CPU cache miss; because the
 * probes in the loop are independent, their cache misses overlap.
 *
 * <p>The result is valid for the whole request, because the caller holds the writer lock, so the
 * set of rowsets on disk does not change meanwhile. Reusable.
 */
final class BloomProbe {
  private static final int PROBES_AT_ONCE = 128;

  private final Page[] chunks = new Page[PROBES_AT_ONCE];
  private final long[] hashes = new long[PROBES_AT_ONCE];
  private final int[] rows = new int[PROBES_AT_ONCE];
  private int probes;

  private long[] maybeOnDisk = new long[16];
  private int count;

  void clear() {
    count = 0;
  }

  void probeAll(RowSetTree tree, EncodedRowKeys keys) throws IOException {
    count = keys.count();
    int words = (count + Long.SIZE - 1) / Long.SIZE;
    if (maybeOnDisk.length < words) {
      maybeOnDisk = new long[words];
    }
    Arrays.fill(maybeOnDisk, 0, words, 0);
    try {
      for (int row = 0; row < count; row++) {
        gather(tree, keys.array(), keys.offset(row), keys.length(row), row);
      }
      probe();
    } finally {
      unpin();
    }
  }

  private void gather(RowSetTree tree, byte[] key, int offset, int length, int row)
      throws IOException {
    int rowSet = tree.coveringBefore(tree.size(), key, offset, length);
    if (rowSet < 0) {
      return;
    }
    long hash = KeyHash.of(key, offset, length);
    for (; rowSet >= 0; rowSet = tree.coveringBefore(rowSet, key, offset, length)) {
      if (probes == PROBES_AT_ONCE) {
        probe();
        unpin();
      }
      chunks[probes] = tree.get(rowSet).base().pinBloomChunk(key, offset, length);
      hashes[probes] = hash;
      rows[probes] = row;
      probes++;
    }
  }

  private void probe() {
    for (int i = 0; i < probes; i++) {
      Page chunk = chunks[i];
      if (BloomChunk.mayContain(chunk.address(), chunk.bytes(), hashes[i])) {
        maybeOnDisk[rows[i] >> 6] |= 1L << rows[i];
      }
    }
  }

  private void unpin() {
    while (probes > 0) {
      probes--;
      chunks[probes].unpin();
      chunks[probes] = null;
    }
  }

  /**
   * Whether the row is certainly in no rowset on disk; false for the rows from {@code count} on,
   * which were not probed.
   */
  boolean isAbsent(int row) {
    return row < count && (maybeOnDisk[row >> 6] >>> row & 1) == 0;
  }
}
