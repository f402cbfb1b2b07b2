package dev.kudu4j.tablet.memrowset;

/**
 * The cells of a row to insert, by column index in the tablet's schema, with write defaults
 * applied.
 */
public interface CellSource {
  boolean isNull(int column);

  /** The array that contains the cell form; not called for a NULL cell. */
  byte[] cellArray(int column);

  int cellOffset(int column);

  int cellLength(int column);
}
