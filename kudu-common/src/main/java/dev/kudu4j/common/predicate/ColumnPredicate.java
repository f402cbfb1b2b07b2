package dev.kudu4j.common.predicate;

import dev.kudu4j.common.schema.ColumnSchema;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A filter on one column. Values are in cell form. NULL matches only {@link IsNull}. A
 * floating-point NaN is equal to nothing and within no bounds, as in IEEE 754.
 *
 * <p>The set of predicates is closed. {@link ColumnPredicates#merge} merges several predicates on
 * one column.
 */
public sealed interface ColumnPredicate {
  ColumnSchema column();

  /** Matches nothing: an empty range or list. */
  record None(ColumnSchema column) implements ColumnPredicate {}

  /** lower ≤ value &lt; upper. A null bound means unbounded; at least one bound is not null. */
  record Range(ColumnSchema column, byte @Nullable [] lower, byte @Nullable [] upper)
      implements ColumnPredicate {}

  /** value = the given value. */
  record Equality(ColumnSchema column, byte[] value) implements ColumnPredicate {}

  record IsNotNull(ColumnSchema column) implements ColumnPredicate {}

  record IsNull(ColumnSchema column) implements ColumnPredicate {}

  /**
   * The value is in the list. The list is sorted in the column's order, has no duplicates and is
   * not empty.
   */
  record InList(ColumnSchema column, List<byte[]> values) implements ColumnPredicate {}

  /** The value passes all filters, and lower ≤ value &lt; upper. A null bound means unbounded. */
  record InBloomFilter(
      ColumnSchema column,
      List<BlockBloomFilter> filters,
      byte @Nullable [] lower,
      byte @Nullable [] upper)
      implements ColumnPredicate {}
}
