package dev.kudu4j.tools.console;

import java.io.PrintWriter;
import java.util.List;

/** An array of objects, one a line. */
final class JsonPrinter implements ListPrinter {
  private final List<String> names;
  private final PrintWriter out;
  private String separator = "";

  JsonPrinter(List<ListColumn> columns, PrintWriter out) {
    this.names = columns.stream().map(ListColumn::title).toList();
    this.out = out;
    out.print("[");
  }

  @Override
  public void row(List<?> cells) {
    out.print(separator + JsonText.object(names, cells));
    separator = ",\n ";
  }

  @Override
  public void close() {
    out.println("]");
    out.flush();
  }
}
