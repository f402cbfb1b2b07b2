package dev.kudu4j.tools.print;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/** Rows of facts under titles. A cell is a text, a number, a boolean, or null for nothing. */
public final class Listing {
  private static final Pattern NUMBER = Pattern.compile("-?[0-9][0-9,.]*( (ms|s|MB|%))?");

  private final List<String> titles;
  private final List<List<Object>> rows = new ArrayList<>();

  public Listing(String... titles) {
    this.titles = List.of(titles);
  }

  /** Adds a row: a cell for each title. */
  public Listing add(Object... cells) {
    if (cells.length != titles.size()) {
      throw new IllegalArgumentException(
          "A row of " + cells.length + " cells under " + titles.size() + " titles");
    }
    rows.add(Collections.unmodifiableList(Arrays.asList(cells.clone())));
    return this;
  }

  public List<String> titles() {
    return titles;
  }

  public List<List<Object>> rows() {
    return rows;
  }

  /** The titles as names for programs: in lower case, with underscores. */
  List<String> names() {
    return titles.stream().map(t -> t.toLowerCase(Locale.ROOT).replace(' ', '_')).toList();
  }

  /** Whether a column has numbers, with or without a unit, and nothing else. */
  boolean isNumeric(int column) {
    return rows.stream().map(row -> row.get(column)).allMatch(Listing::isNumber)
        && rows.stream().map(row -> row.get(column)).anyMatch(cell -> cell != null);
  }

  private static boolean isNumber(Object cell) {
    return cell == null
        || cell instanceof Number
        || NUMBER.matcher(cell.toString()).matches()
        || cell.equals("");
  }
}
