package dev.kudu4j.tablet.scan.predicate;

import dev.kudu4j.common.predicate.BlockBloomFilter;
import dev.kudu4j.common.predicate.FastHash;
import dev.kudu4j.tablet.batch.ColumnVector;
import dev.kudu4j.tablet.scan.block.SelectionBitmap;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Matches if every Bloom filter may contain the cell. The bounds of a Bloom filter predicate are a
 * separate leaf.
 */
final class BloomLeaf extends ColumnLeaf {
  private final BlockBloomFilter[] filters;

  BloomLeaf(int column, int maxRows, List<BlockBloomFilter> filters) {
    super(column, maxRows);
    this.filters = filters.toArray(new BlockBloomFilter[0]);
  }

  @Override
  public Verdict judge(
      int rowCount, int nullCount, byte @Nullable [] minimum, byte @Nullable [] maximum) {
    return nullCount == rowCount ? Verdict.NONE : Verdict.SOME;
  }

  @Override
  public void evaluate(ColumnVector cells, int rowCount, long[] wanted) {
    for (int word = 0; word < SelectionBitmap.wordCount(rowCount); word++) {
      for (long bits = wanted[word]; bits != 0; bits &= bits - 1) {
        int row = (word << 6) + Long.numberOfTrailingZeros(bits);
        if (!passes(cells.cellAddress(row), cells.cellLength(row))) {
          wanted[word] &= ~(1L << row);
        }
      }
    }
  }

  private boolean passes(long address, int length) {
    for (BlockBloomFilter filter : filters) {
      if (!filter.mayContain(FastHash.hash32(address, length, filter.hashSeed()))) {
        return false;
      }
    }
    return true;
  }
}
