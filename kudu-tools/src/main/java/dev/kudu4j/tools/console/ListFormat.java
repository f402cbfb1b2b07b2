package dev.kudu4j.tools.console;

import java.io.PrintWriter;
import java.util.List;

/** How a list is printed: for people, for a shell, for a spreadsheet, for a program. */
public enum ListFormat {
  /** A table with titles; numbers stand to the right. */
  pretty {
    @Override
    ListPrinter printer(List<ListColumn> columns, String nullText, PrintWriter out) {
      return new PrettyPrinter(columns, nullText, out);
    }
  },
  /** Cells with a space between, without titles; what {@code awk} reads. */
  space {
    @Override
    ListPrinter printer(List<ListColumn> columns, String nullText, PrintWriter out) {
      return new SpacePrinter(nullText, out);
    }
  },
  /** Cells with a tab between, with titles. */
  tsv {
    @Override
    ListPrinter printer(List<ListColumn> columns, String nullText, PrintWriter out) {
      return new DelimitedPrinter('\t', columns, out);
    }
  },
  /** Cells with a comma between, with titles; a null is an empty cell without quotes. */
  csv {
    @Override
    ListPrinter printer(List<ListColumn> columns, String nullText, PrintWriter out) {
      return new DelimitedPrinter(',', columns, out);
    }
  },
  /** An array of objects, one a line. */
  json {
    @Override
    ListPrinter printer(List<ListColumn> columns, String nullText, PrintWriter out) {
      return new JsonPrinter(columns, out);
    }
  };

  abstract ListPrinter printer(List<ListColumn> columns, String nullText, PrintWriter out);

  /** A list in which a cell that is not known is left empty. */
  public ListPrinter open(List<ListColumn> columns, PrintWriter out) {
    return printer(columns, "", out);
  }

  /** A list whose nulls say so where nothing else would tell them from empty cells. */
  public ListPrinter openWithNulls(List<ListColumn> columns, PrintWriter out) {
    return printer(columns, "NULL", out);
  }
}
