package dev.kudu4j.common.predicate;

import dev.kudu4j.common.schema.ColumnSchema;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A filter on one column. Values are in cell form. NULL matches only {@link IsNull}; a
 * floating-point NaN, as IEEE 754 has it, is equal to nothing and within no bounds.
 *
 * <p>A closed set; several predicates on one column are merged by {@link ColumnPredicates#merge}.
 */
public sealed interface ColumnPredicate {
  ColumnSchema column();

  /** Matches nothing: an empty range or list. */
  record None(ColumnSchema column) implements ColumnPredicate {}

  /** lower ≤ value &lt; upper; a null bound is open, at least one is there. */
  record Range(ColumnSchema column, byte @Nullable [] lower, byte @Nullable [] upper)
      implements ColumnPredicate {}

  /** value = the given one. */
  record Equality(ColumnSchema column, byte[] value) implements ColumnPredicate {}

  record IsNotNull(ColumnSchema column) implements ColumnPredicate {}

  record IsNull(ColumnSchema column) implements ColumnPredicate {}

  /** value is one of the list; sorted by the column's order, without duplicates, not empty. */
  record InList(ColumnSchema column, List<byte[]> values) implements ColumnPredicate {}

  /** Passes every filter, and lower ≤ value &lt; upper where a bound is given. */
  record InBloomFilter(
      ColumnSchema column,
      List<BlockBloomFilter> filters,
      byte @Nullable [] lower,
      byte @Nullable [] upper)
      implements ColumnPredicate {}
}
