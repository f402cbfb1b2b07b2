package dev.kudu4j.tablet.memrowset;

/**
 * The cells of a row to be inserted, by column index of the tablet's schema; defaults are already
 * filled in.
 */
public interface CellSource {
  boolean isNull(int column);

  /** Array that holds the cell form; not called for a NULL. */
  byte[] cellArray(int column);

  int cellOffset(int column);

  int cellLength(int column);
}
