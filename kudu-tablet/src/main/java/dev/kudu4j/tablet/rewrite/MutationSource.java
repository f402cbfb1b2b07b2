package dev.kudu4j.tablet.rewrite;

import java.io.IOException;

/**
 * The changes of a block's rows. Each row is queried once, in ascending order. Entries must stay
 * valid until the end of the block.
 */
public interface MutationSource {
  /** Adds the row's REDO changes that are rolled forward, newest first. */
  void addRedo(int row, MutationList redo) throws IOException;

  /** Adds the row's UNDO changes, in any order. */
  void addUndo(int row, MutationList undo) throws IOException;
}
