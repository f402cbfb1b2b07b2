package dev.kudu4j.tools.console;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;

/**
 * Prints titles, a line, and aligned rows. The first rows determine the widths; a wider cell in a
 * later row only misaligns its own row.
 */
final class PrettyPrinter implements ListPrinter {
  private static final int ROWS_MEASURED = 1000;

  private final List<ListColumn> columns;
  private final String nullText;
  private final PrintWriter out;
  private final int[] widths;
  private List<List<String>> waiting = new ArrayList<>();

  PrettyPrinter(List<ListColumn> columns, String nullText, PrintWriter out) {
    this.columns = columns;
    this.nullText = nullText;
    this.out = out;
    this.widths = columns.stream().mapToInt(column -> width(column.title())).toArray();
  }

  private static int width(String text) {
    return text.codePointCount(0, text.length());
  }

  @Override
  public void row(List<?> cells) {
    List<String> texts = new ArrayList<>();
    for (Object cell : cells) {
      texts.add(cell == null ? nullText : onOneLine(cell.toString()));
    }
    if (waiting == null) {
      printRow(texts);
      return;
    }
    for (int i = 0; i < widths.length; i++) {
      widths[i] = Math.max(widths[i], width(texts.get(i)));
    }
    waiting.add(texts);
    if (waiting.size() == ROWS_MEASURED) {
      printWaiting();
    }
  }

  private static String onOneLine(String text) {
    boolean plain = text.chars().noneMatch(c -> c == '\n' || c == '\r' || c == '\t');
    return plain ? text : text.replace("\n", "\\n").replace("\r", "\\r").replace("\t", "\\t");
  }

  private void printWaiting() {
    StringBuilder titles = new StringBuilder();
    StringBuilder line = new StringBuilder();
    for (int i = 0; i < widths.length; i++) {
      String title = columns.get(i).title();
      int gap = widths[i] - width(title);
      titles.append(i == 0 ? " " : " | ");
      titles.append(" ".repeat(gap / 2)).append(title).append(" ".repeat(gap - gap / 2));
      line.append(i == 0 ? "" : "+").append("-".repeat(widths[i] + 2));
    }
    out.println(titles.toString().stripTrailing());
    out.println(line);
    waiting.forEach(this::printRow);
    waiting = null;
  }

  private void printRow(List<String> cells) {
    StringBuilder line = new StringBuilder();
    for (int i = 0; i < widths.length; i++) {
      String text = cells.get(i);
      String padding = " ".repeat(Math.max(0, widths[i] - width(text)));
      line.append(i == 0 ? " " : " | ");
      line.append(columns.get(i).number() ? padding + text : text + padding);
    }
    out.println(line.toString().stripTrailing());
  }

  @Override
  public void close() {
    if (waiting != null) {
      printWaiting();
    }
    out.flush();
  }
}
