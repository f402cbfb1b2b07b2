package dev.kudu4j.benchmarks.report;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;

/**
 * A table of strings under a heading. Columns after the first {@code textColumns} hold numbers and
 * are aligned to the right.
 */
public final class Table {
  /** The text of a cell without a value. */
  public static final String ABSENT = "-";

  private final String heading;
  private final int textColumns;
  private final List<String> columns;
  private final List<List<String>> rows = new ArrayList<>();

  /**
   * @param heading heading of the table; empty for none
   */
  public Table(String heading, int textColumns, List<String> columns) {
    this.heading = heading;
    this.textColumns = textColumns;
    this.columns = List.copyOf(columns);
  }

  /** Adds a row: a string for each column. */
  public Table row(List<String> cells) {
    if (cells.size() != columns.size()) {
      throw new IllegalArgumentException(
          "Row of %d cells in a table of %d columns".formatted(cells.size(), columns.size()));
    }
    rows.add(List.copyOf(cells));
    return this;
  }

  public Table row(String... cells) {
    return row(List.of(cells));
  }

  public String heading() {
    return heading;
  }

  public List<String> columns() {
    return columns;
  }

  public List<List<String>> rows() {
    return Collections.unmodifiableList(rows);
  }

  public boolean isNumber(int column) {
    return column >= textColumns;
  }

  String toMarkdown() {
    StringBuilder text = new StringBuilder();
    if (!heading.isEmpty()) {
      text.append("**").append(heading).append("**\n\n");
    }
    List<String> rule = new ArrayList<>();
    for (int column = 0; column < columns.size(); column++) {
      rule.add(isNumber(column) ? "---:" : "---");
    }
    text.append(markdownRow(columns)).append(markdownRow(rule));
    rows.forEach(row -> text.append(markdownRow(row)));
    return text.toString();
  }

  /** One row as it appears in the Markdown table, with the end of the line. */
  public static String markdownRow(List<String> cells) {
    return "| " + String.join(" | ", cells) + " |\n";
  }

  /**
   * Formats a number without decimals from 100 on, with one decimal from 10 on, two from 1 on, and
   * three below 1; {@link #ABSENT} for NaN.
   */
  public static String number(double value) {
    if (Double.isNaN(value)) {
      return ABSENT;
    }
    double size = Math.abs(value);
    if (size >= 100) {
      return String.format(Locale.ROOT, "%,.0f", value);
    }
    int decimals = size >= 10 ? 1 : size >= 1 ? 2 : 3;
    return String.format(Locale.ROOT, "%." + decimals + "f", value);
  }

  /**
   * The median of some values, with minimum and maximum in brackets if there are several; {@link
   * #ABSENT} if there are none.
   */
  static String medianAndRange(double[] values) {
    if (values.length == 0) {
      return ABSENT;
    }
    String median = number(Samples.median(values));
    return values.length == 1
        ? median
        : "%s (%s–%s)"
            .formatted(
                median,
                number(Arrays.stream(values).min().getAsDouble()),
                number(Arrays.stream(values).max().getAsDouble()));
  }
}
