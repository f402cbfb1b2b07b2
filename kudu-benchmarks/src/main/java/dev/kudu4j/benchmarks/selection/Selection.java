package dev.kudu4j.benchmarks.selection;

import java.util.List;
import java.util.stream.Collectors;

/**
 * A query of rows by ranges of columns.
 *
 * @param join how the ranges are joined
 * @param ranges of different columns
 * @param columns the columns to read; none to count the rows
 */
public record Selection(Join join, List<Range> ranges, List<String> columns) {
  /** The operators that join ranges. */
  public enum Join {
    AND,
    OR
  }

  public Selection {
    if (ranges.isEmpty()) {
      throw new IllegalArgumentException("A selection needs a range");
    }
    ranges = List.copyOf(ranges);
    columns = List.copyOf(columns);
  }

  /** The rows in all ranges. */
  public static Selection and(List<String> columns, Range... ranges) {
    return new Selection(Join.AND, List.of(ranges), columns);
  }

  /** The rows in one of the ranges. */
  public static Selection or(List<String> columns, Range... ranges) {
    return new Selection(Join.OR, List.of(ranges), columns);
  }

  /** Whether only the number of rows is wanted. */
  public boolean counts() {
    return columns.isEmpty();
  }

  /** Whether more than one range is joined by OR. */
  public boolean isOr() {
    return join == Join.OR && ranges.size() > 1;
  }

  /** The query in SQL, without the table. */
  @Override
  public String toString() {
    String wanted =
        counts()
            ? "count(*)"
            : columns.size() > 4 ? columns.size() + " columns" : String.join(", ", columns);
    return ranges.stream()
        .map(Range::toString)
        .collect(Collectors.joining(" " + join + " ", "SELECT " + wanted + " WHERE ", ""));
  }
}
