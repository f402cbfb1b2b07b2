package dev.kudu4j.tablet.scan.expression;

import dev.kudu4j.tablet.scan.block.RowBlock;
import dev.kudu4j.tablet.scan.block.SelectionBitmap;

/**
 * Some consecutive rows of a block, few enough that their intermediate results fit into the L1
 * cache. Expressions are computed for all rows of the chunk, selected or not. If few rows are
 * selected, only these are picked and computed.
 */
public final class RowChunk {
  public static final int MAX_ROWS = 1024;

  /** Rows are picked if fewer than one in this many is selected. */
  private static final int PICK_BELOW = 12;

  private final int[] picks = new int[MAX_ROWS];

  // Set when the chunk moves to its first rows, before anything is read from it.
  @SuppressWarnings("NullAway.Init")
  private RowBlock rows;

  @SuppressWarnings("NullAway.Init")
  private SelectionBitmap selection;

  private int from;
  private int span;
  private int count;
  private boolean picked;
  private long serial;

  /**
   * Moves to the rows {@code [first, first + max)}; returns false if none of them is selected.
   *
   * @param selected the rows to compute, all of them selected in the block
   */
  public boolean moveTo(RowBlock block, SelectionBitmap selected, int first, int max) {
    rows = block;
    selection = selected;
    from = first;
    span = max;
    serial++;
    int kept = selected.count(first, first + max);
    picked = kept * PICK_BELOW < max;
    count = picked ? kept : max;
    if (picked) {
      pick(selected);
    }
    return kept > 0;
  }

  private void pick(SelectionBitmap selected) {
    int next = 0;
    int end = from + span;
    for (int row = selected.next(from); row >= 0 && row < end; row = selected.next(row + 1)) {
      picks[next++] = row - from;
    }
  }

  public RowBlock rows() {
    return rows;
  }

  /** The rows to compute; the chunk covers some of them. */
  public SelectionBitmap selection() {
    return selection;
  }

  /** The chunk's first row in the block. */
  public int from() {
    return from;
  }

  /** The number of rows of the block that the chunk covers, selected or not. */
  public int span() {
    return span;
  }

  /** The number of computed rows. */
  public int count() {
    return count;
  }

  /**
   * Whether only the rows in {@link #picks} are computed; their indexes are relative to {@link
   * #from}.
   */
  public boolean isPicked() {
    return picked;
  }

  public int[] picks() {
    return picks;
  }

  /** The row of the block for the computed row {@code index}. */
  public int row(int index) {
    return from + (picked ? picks[index] : index);
  }

  /** A number that differs from chunk to chunk. */
  long serial() {
    return serial;
  }
}
