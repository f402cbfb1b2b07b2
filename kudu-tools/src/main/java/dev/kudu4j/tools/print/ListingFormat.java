package dev.kudu4j.tools.print;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;

/** How a listing is printed: for people, for a program, for a spreadsheet. */
public enum ListingFormat {
  /** Aligned columns; numbers to the right. */
  table {
    @Override
    public void print(Listing listing, PrintWriter out) {
      int[] widths = new int[listing.titles().size()];
      List<List<String>> lines = new ArrayList<>();
      lines.add(listing.titles());
      for (List<Object> row : listing.rows()) {
        lines.add(row.stream().map(cell -> cell == null ? "" : cell.toString()).toList());
      }
      for (List<String> line : lines) {
        for (int i = 0; i < widths.length; i++) {
          widths[i] = Math.max(widths[i], line.get(i).length());
        }
      }
      lines.forEach(line -> out.println(aligned(listing, line, widths)));
    }
  },
  /** An array with an object for each row; names are the titles with underscores. */
  json {
    @Override
    public void print(Listing listing, PrintWriter out) {
      out.print("[");
      String separator = "\n  ";
      for (List<Object> row : listing.rows()) {
        out.print(separator + JsonText.object(listing.names(), row));
        separator = ",\n  ";
      }
      out.println("]");
    }
  },
  /** A line of names, then a line for each row. */
  csv {
    @Override
    public void print(Listing listing, PrintWriter out) {
      out.println(csvLine(listing.names()));
      listing.rows().forEach(row -> out.println(csvLine(row)));
    }
  };

  public abstract void print(Listing listing, PrintWriter out);

  private static String aligned(Listing listing, List<String> line, int[] widths) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < widths.length; i++) {
      String padding = " ".repeat(widths[i] - line.get(i).length());
      text.append(listing.isNumeric(i) ? padding + line.get(i) : line.get(i) + padding);
      text.append(i + 1 < widths.length ? "  " : "");
    }
    return text.toString().stripTrailing();
  }

  private static String csvLine(List<?> cells) {
    StringBuilder line = new StringBuilder();
    for (int i = 0; i < cells.size(); i++) {
      line.append(i == 0 ? "" : ",").append(csvCell(cells.get(i)));
    }
    return line.toString();
  }

  private static String csvCell(Object cell) {
    String text = cell == null ? "" : cell.toString();
    boolean plain = text.chars().noneMatch(c -> c == ',' || c == '"' || c == '\n' || c == '\r');
    return plain ? text : '"' + text.replace("\"", "\"\"") + '"';
  }
}
