package dev.kudu4j.common.predicate;

import dev.kudu4j.common.predicate.ColumnPredicate.Equality;
import dev.kudu4j.common.predicate.ColumnPredicate.InBloomFilter;
import dev.kudu4j.common.predicate.ColumnPredicate.InList;
import dev.kudu4j.common.predicate.ColumnPredicate.IsNotNull;
import dev.kudu4j.common.predicate.ColumnPredicate.IsNull;
import dev.kudu4j.common.predicate.ColumnPredicate.None;
import dev.kudu4j.common.predicate.ColumnPredicate.Range;
import dev.kudu4j.common.schema.CellText;
import dev.kudu4j.common.schema.ColumnSchema;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Formats predicates for people: {@code 0 <= delay < 60}. Long lists and long cells are shortened.
 * A redacted predicate shows its shape but no cell values.
 */
public final class PredicateText {
  /** Replaces a redacted cell. */
  public static final String REDACTED = "<redacted>";

  private static final int MAX_VALUES = 10;
  private static final int LONGEST_CELL = 80;

  private PredicateText() {}

  /**
   * @param redacted whether to hide cell values
   */
  public static String of(ColumnPredicate predicate, boolean redacted) {
    String name = predicate.column().name();
    if (predicate instanceof Range range) {
      return range(range, name, redacted);
    } else if (predicate instanceof Equality equality) {
      return name + " = " + cell(predicate.column(), equality.value(), redacted);
    } else if (predicate instanceof IsNull) {
      return name + " IS NULL";
    } else if (predicate instanceof IsNotNull) {
      return name + " IS NOT NULL";
    } else if (predicate instanceof InList list) {
      return name + " IN (" + values(list, redacted) + ")";
    } else if (predicate instanceof InBloomFilter bloom) {
      return name + " IN " + bloom.filters().size() + " Bloom filters";
    } else if (predicate instanceof None) {
      return name + " matches nothing";
    }
    throw new AssertionError(predicate);
  }

  private static String range(Range range, String name, boolean redacted) {
    String text = name;
    if (range.lower() != null) {
      text =
          range.upper() == null
              ? name + " >= " + cell(range.column(), range.lower(), redacted)
              : cell(range.column(), range.lower(), redacted) + " <= " + name;
    }
    return range.upper() == null
        ? text
        : text + " < " + cell(range.column(), range.upper(), redacted);
  }

  private static String values(InList list, boolean redacted) {
    List<byte[]> values = list.values();
    if (redacted) {
      return values.size() + " values, " + REDACTED;
    }
    String shown =
        values.stream()
            .limit(MAX_VALUES)
            .map(value -> cell(list.column(), value, false))
            .collect(Collectors.joining(", "));
    return values.size() > MAX_VALUES ? shown + ", … " + values.size() + " values in all" : shown;
  }

  private static String cell(ColumnSchema column, byte[] cell, boolean redacted) {
    if (redacted) {
      return REDACTED;
    }
    String text = CellText.of(column, cell);
    return text.length() <= LONGEST_CELL ? text : text.substring(0, LONGEST_CELL) + "…";
  }
}
