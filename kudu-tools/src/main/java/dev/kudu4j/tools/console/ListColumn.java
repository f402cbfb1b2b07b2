package dev.kudu4j.tools.console;

import java.util.Arrays;
import java.util.List;

/**
 * A column of a list.
 *
 * @param number whether its cells are right-aligned
 */
public record ListColumn(String title, boolean number) {
  public static ListColumn text(String title) {
    return new ListColumn(title, false);
  }

  public static ListColumn number(String title) {
    return new ListColumn(title, true);
  }

  /** Columns of text. */
  public static List<ListColumn> texts(String... titles) {
    return Arrays.stream(titles).map(ListColumn::text).toList();
  }
}
