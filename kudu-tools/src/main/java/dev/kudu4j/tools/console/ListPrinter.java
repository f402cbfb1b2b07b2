package dev.kudu4j.tools.console;

import java.util.List;

/**
 * Prints a list row by row, in bounded memory. Cells are numbers, truth values, texts or null; JSON
 * keeps their kind.
 */
public interface ListPrinter extends AutoCloseable {
  /** One row; as many cells as there are columns. */
  void row(List<?> cells);

  /** Ends the list and flushes it; the writer stays open. */
  @Override
  void close();
}
