package dev.kudu4j.tablet.rewrite;

import java.io.IOException;

/**
 * Gets what the rows of a block were, row by row in ascending order. Entries are read with {@link
 * dev.kudu4j.tablet.delta.Mutation} and are there until the next block begins.
 */
public interface HistorySink {
  /** An UNDO change; those of a row come oldest first. */
  void undo(int row, long entry) throws IOException;

  /** A change that stays REDO; those of a row come newest first, after its UNDO changes. */
  void redo(int row, long entry) throws IOException;
}
