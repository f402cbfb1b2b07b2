package dev.kudu4j.tablet.rewrite;

import java.io.IOException;

/**
 * The changes of the rows of a block, asked for row by row, each row once, in ascending order.
 * Entries must be there until the block is done.
 */
public interface MutationSource {
  /** Adds the row's REDO changes that are to be rolled forward, the newest first. */
  void addRedo(int row, MutationList redo) throws IOException;

  /** Adds the row's UNDO changes, in any order. */
  void addUndo(int row, MutationList undo) throws IOException;
}
