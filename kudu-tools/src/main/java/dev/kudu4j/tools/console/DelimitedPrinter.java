package dev.kudu4j.tools.console;

import java.io.PrintWriter;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Prints cells with a delimiter, in quotes if needed. A null is an empty cell without quotes; an
 * empty text is an empty cell with quotes.
 */
final class DelimitedPrinter implements ListPrinter {
  private final char delimiter;
  private final PrintWriter out;

  DelimitedPrinter(char delimiter, List<ListColumn> columns, PrintWriter out) {
    this.delimiter = delimiter;
    this.out = out;
    row(columns.stream().map(ListColumn::title).toList());
  }

  @Override
  public void row(List<?> cells) {
    out.println(
        cells.stream().map(this::text).collect(Collectors.joining(String.valueOf(delimiter))));
  }

  private String text(Object cell) {
    if (cell == null) {
      return "";
    }
    String text = cell.toString();
    boolean plain =
        !text.isEmpty()
            && text.chars().noneMatch(c -> c == delimiter || c == '"' || c == '\n' || c == '\r');
    return plain ? text : '"' + text.replace("\"", "\"\"") + '"';
  }

  @Override
  public void close() {
    out.flush();
  }
}
