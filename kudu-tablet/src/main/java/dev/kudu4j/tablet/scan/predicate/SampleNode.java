package dev.kudu4j.tablet.scan.predicate;

import dev.kudu4j.common.expression.Condition;
import dev.kudu4j.common.expression.SampleHash;
import dev.kudu4j.common.schema.ColumnSchema;
import dev.kudu4j.tablet.batch.CellHasher;
import dev.kudu4j.tablet.batch.ColumnVector;
import dev.kudu4j.tablet.scan.block.RowBlock;
import dev.kudu4j.tablet.scan.block.SelectionBitmap;
import java.io.IOException;
import java.util.function.ToIntFunction;

/** Matches the rows of a sample. Hashes up to 64 rows at a time, column by column. */
final class SampleNode implements PredicateNode {
  private final int[] columns;
  private final ColumnVector[] cells;
  private final long start;
  private final long first;
  private final long end;
  private final boolean negated;
  private final String text;
  private final long[] hashes = new long[Long.SIZE];

  /**
   * @param columnNumber returns the number of a column in a block
   * @param negated whether to match the rows outside of the sample
   */
  SampleNode(Condition.Sample sample, ToIntFunction<ColumnSchema> columnNumber, boolean negated) {
    this.columns = sample.columns().stream().mapToInt(columnNumber).toArray();
    this.cells = new ColumnVector[columns.length];
    this.start = SampleHash.start(sample.seed());
    this.first = SampleHash.bound(sample.lower());
    this.end = SampleHash.bound(sample.upper());
    this.negated = negated;
    this.text = sample.lower() + " TO " + sample.upper();
  }

  @Override
  public void filter(RowBlock block, SelectionBitmap rows) throws IOException {
    for (int i = 0; i < columns.length; i++) {
      cells[i] = block.cells(columns[i]);
    }
    long[] words = rows.words();
    for (int word = 0; word < SelectionBitmap.wordCount(rows.rowCount()); word++) {
      if (words[word] != 0) {
        hash(block, word << 6, words[word]);
        words[word] &= negated ? ~kept() : kept();
      }
    }
  }

  /**
   * Sets {@link #hashes} to the hashes of the selected rows. The hashes of other rows are
   * undefined.
   */
  private void hash(RowBlock block, int firstRow, long selected) {
    for (int i = 0; i < hashes.length; i++) {
      hashes[i] = start;
    }
    for (int i = 0; i < columns.length; i++) {
      CellHasher.add(cells[i], firstRow - block.firstRow(columns[i]), selected, hashes);
    }
  }

  private long kept() {
    long kept = 0;
    for (int i = 0; i < hashes.length; i++) {
      long place = SampleHash.place(hashes[i]);
      long isAtFirst = ~(place - first) >>> (Long.SIZE - 1); // places have fewer than 64 bits
      long isBelowEnd = (place - end) >>> (Long.SIZE - 1);
      kept |= (isAtFirst & isBelowEnd) << i;
    }
    return kept;
  }

  @Override
  public String toString() {
    return (negated ? "NOT " : "") + "SAMPLE " + text;
  }
}
