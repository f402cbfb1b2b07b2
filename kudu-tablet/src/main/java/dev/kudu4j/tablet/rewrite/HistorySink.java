package dev.kudu4j.tablet.rewrite;

import java.io.IOException;

/**
 * Receives the histories of the rows of a block, row by row in ascending order. Read the entries
 * with {@link dev.kudu4j.tablet.delta.Mutation}; they are valid until the next block.
 */
public interface HistorySink {
  /** Receives an UNDO change; a row's UNDO changes arrive oldest first. */
  void undo(int row, long entry) throws IOException;

  /**
   * Receives a change that stays REDO; a row's REDO changes arrive newest first, after its UNDO
   * changes.
   */
  void redo(int row, long entry) throws IOException;
}
