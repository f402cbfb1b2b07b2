package dev.kudu4j.tools.console;

import java.util.List;

/**
 * Prints a list row by row, with bounded memory. Cells are numbers, booleans, text or null; JSON
 * preserves their type.
 */
public interface ListPrinter extends AutoCloseable {
  /** Prints a row with one cell per column. */
  void row(List<?> cells);

  /** Ends the list and flushes it; the writer stays open. */
  @Override
  void close();
}
