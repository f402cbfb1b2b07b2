package dev.kudu4j.tools.demo;

import dev.kudu4j.tools.console.ListColumn;
import dev.kudu4j.tools.console.ListFormat;
import dev.kudu4j.tools.console.ListPrinter;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;

/** A small table of query results, which is printed when it is complete. */
final class Answers {
  private final List<ListColumn> columns;
  private final List<List<Object>> rows = new ArrayList<>();

  Answers(ListColumn... columns) {
    this.columns = List.of(columns);
  }

  Answers row(Object... cells) {
    rows.add(List.of(cells));
    return this;
  }

  List<String> lines() {
    StringWriter text = new StringWriter();
    try (ListPrinter printer = ListFormat.pretty.open(columns, new PrintWriter(text))) {
      rows.forEach(printer::row);
    }
    return text.toString().lines().toList();
  }
}
