package dev.kudu4j.tablet.scan.aggregate;

import dev.kudu4j.tablet.scan.predicate.SelectionBitmap;
import dev.kudu4j.tablet.scan.source.SelectedRows;

/**
 * Some neighbouring rows of a block, few enough that what is computed of them stays in the nearest
 * caches. Either all of them are computed with, kept or not, or, where few are kept, those are
 * picked.
 */
final class RowChunk {
  static final int MOST_ROWS = 1024;

  /** Rows are picked when fewer than one of so many are kept. */
  private static final int PICK_BELOW = 12;

  private final int[] picks = new int[MOST_ROWS];
  private SelectedRows rows;
  private int from;
  private int span;
  private int count;
  private boolean picked;
  private long serial;

  /** Moves to the rows {@code [first, first + most)}; false when none of them is kept. */
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

  /** The first row of the block that belongs to the step. */
  int from() {
    return from;
  }

  /** Rows of the block that belong to the step, kept or not. */
  int span() {
    return span;
  }

  /** Rows computed with. */
  int count() {
    return count;
  }

  /** Whether only some rows are computed with: {@link #picks}, counted from {@link #from}. */
  boolean isPicked() {
    return picked;
  }

  int[] picks() {
    return picks;
  }

  /** The row of the block that is computed with as number {@code index}. */
  int row(int index) {
    return from + (picked ? picks[index] : index);
  }

  /** Differs from step to step. */
  long serial() {
    return serial;
  }
}
