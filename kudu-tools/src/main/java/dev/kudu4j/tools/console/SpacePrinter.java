package dev.kudu4j.tools.console;

import java.io.PrintWriter;
import java.util.List;
import java.util.stream.Collectors;

/** Prints cells separated by spaces. */
final class SpacePrinter implements ListPrinter {
  private final String nullText;
  private final PrintWriter out;

  SpacePrinter(String nullText, PrintWriter out) {
    this.nullText = nullText;
    this.out = out;
  }

  @Override
  public void row(List<?> cells) {
    out.println(
        cells.stream()
            .map(cell -> cell == null ? nullText : cell.toString())
            .collect(Collectors.joining(" ")));
  }

  @Override
  public void close() {
    out.flush();
  }
}
