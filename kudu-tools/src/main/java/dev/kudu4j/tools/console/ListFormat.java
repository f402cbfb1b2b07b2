package dev.kudu4j.tools.console;

import java.io.PrintWriter;
import java.util.List;

/** The output formats of lists. */
public enum ListFormat {
  /** A table with titles; numbers are right-aligned. */
  pretty {
    @Override
    ListPrinter printer(List<ListColumn> columns, String nullText, PrintWriter out) {
      return new PrettyPrinter(columns, nullText, out);
    }
  },
  /** Cells separated by spaces, without titles, as for {@code awk}. */
  space {
    @Override
    ListPrinter printer(List<ListColumn> columns, String nullText, PrintWriter out) {
      return new SpacePrinter(nullText, out);
    }
  },
  /** Cells separated by tabs, with titles. */
  tsv {
    @Override
    ListPrinter printer(List<ListColumn> columns, String nullText, PrintWriter out) {
      return new DelimitedPrinter('\t', columns, out);
    }
  },
  /** Cells separated by commas, with titles; a null is an empty cell without quotes. */
  csv {
    @Override
    ListPrinter printer(List<ListColumn> columns, String nullText, PrintWriter out) {
      return new DelimitedPrinter(',', columns, out);
    }
  },
  /** A JSON array with one object per line. */
  json {
    @Override
    ListPrinter printer(List<ListColumn> columns, String nullText, PrintWriter out) {
      return new JsonPrinter(columns, out);
    }
  };

  abstract ListPrinter printer(List<ListColumn> columns, String nullText, PrintWriter out);

  /** A list that prints nulls as empty cells. */
  public ListPrinter open(List<ListColumn> columns, PrintWriter out) {
    return printer(columns, "", out);
  }

  /** A list that prints nulls explicitly if the format cannot distinguish them from empty cells. */
  public ListPrinter openWithNulls(List<ListColumn> columns, PrintWriter out) {
    return printer(columns, "NULL", out);
  }
}
