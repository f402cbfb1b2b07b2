package dev.kudu4j.tablet.scan.aggregate;

import dev.kudu4j.tablet.scan.predicate.SelectionBitmap;
import dev.kudu4j.tablet.scan.source.SelectedRows;

/**
 * Some consecutive rows of a block, few enough that their intermediate results fit into the L1
 * cache. Expressions are computed for all rows of the chunk, selected or not. If few rows are
 * selected, only these are picked and computed.
 */
final class RowChunk {
  static final int MAX_ROWS = 1024;

  /** Rows are picked if fewer than one in this many is selected. */
  private static final int PICK_BELOW = 12;

  private final int[] picks = new int[MAX_ROWS];
  private SelectedRows rows;
  private int from;
  private int span;
  private int count;
  private boolean picked;
  private long serial;

  /** Moves to the rows {@code [first, first + most)}; returns false if none of them is selected. */
  boolean moveTo(SelectedRows block, int first, int most) {
    rows = block;
    from = first;
    span = most;
    serial++;
    int kept = block.selection().count(first, first + most);
    picked = kept * PICK_BELOW < most;
    count = picked ? kept : most;
    if (picked) {
      pick(block.selection());
    }
    return kept > 0;
  }

  private void pick(SelectionBitmap selection) {
    int next = 0;
    int end = from + span;
    for (int row = selection.next(from); row >= 0 && row < end; row = selection.next(row + 1)) {
      picks[next++] = row - from;
    }
  }

  SelectedRows rows() {
    return rows;
  }

  /** The chunk's first row in the block. */
  int from() {
    return from;
  }

  /** The number of rows of the block that the chunk covers, selected or not. */
  int span() {
    return span;
  }

  /** The number of computed rows. */
  int count() {
    return count;
  }

  /**
   * Whether only the rows in {@link #picks} are computed; their indexes are relative to {@link
   * #from}.
   */
  boolean isPicked() {
    return picked;
  }

  int[] picks() {
    return picks;
  }

  /** The row of the block for the computed row {@code index}. */
  int row(int index) {
    return from + (picked ? picks[index] : index);
  }

  /** A number that differs from chunk to chunk. */
  long serial() {
    return serial;
  }
}
