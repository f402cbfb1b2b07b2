package dev.kudu4j.common.predicate;

import dev.kudu4j.common.predicate.ColumnPredicate.Equality;
import dev.kudu4j.common.predicate.ColumnPredicate.InBloomFilter;
import dev.kudu4j.common.predicate.ColumnPredicate.InList;
import dev.kudu4j.common.predicate.ColumnPredicate.IsNotNull;
import dev.kudu4j.common.predicate.ColumnPredicate.IsNull;
import dev.kudu4j.common.predicate.ColumnPredicate.None;
import dev.kudu4j.common.predicate.ColumnPredicate.Range;
import dev.kudu4j.common.schema.CellOrder;
import dev.kudu4j.common.schema.ColumnSchema;
import dev.kudu4j.common.schema.DataType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Operations on predicates: comparison of values, merging, evaluation on one cell. */
public final class ColumnPredicates {
  private ColumnPredicates() {}

  /**
   * Combines predicates with AND. The result has at most one predicate per column; contradictions
   * become {@link None}. Columns stay in the order of their first appearance.
   *
   * <p>Each predicate is also simplified: a range or list of one value becomes an equality, a bound
   * that excludes nothing is removed, and {@link IsNotNull} on a column that is not nullable is
   * removed.
   */
  public static List<ColumnPredicate> merge(List<ColumnPredicate> predicates) {
    Map<String, ColumnPredicate> byColumn = new LinkedHashMap<>();
    for (ColumnPredicate predicate : predicates) {
      byColumn.merge(predicate.column().name(), simplify(predicate), ColumnPredicates::and);
    }
    List<ColumnPredicate> merged = new ArrayList<>();
    for (ColumnPredicate predicate : byColumn.values()) {
      if (!(predicate instanceof IsNotNull) || predicate.column().isNullable()) {
        merged.add(predicate);
      }
    }
    return merged;
  }

  /** Compares two cells of a type in the order of {@link CellOrder}. */
  public static int compareCells(
      DataType type, byte[] left, int leftOffset, int leftLength, byte[] right) {
    return CellOrder.compare(type, left, leftOffset, leftLength, right, 0, right.length);
  }

  /**
   * Whether one cell matches; {@code cell} is null for NULL. A simple implementation for tests and
   * small data.
   */
  public static boolean matches(ColumnPredicate predicate, byte @Nullable [] cell) {
    if (cell == null) {
      return predicate instanceof IsNull;
    }
    DataType type = predicate.column().type();
    if (predicate instanceof Range range) {
      return isWithin(type, cell, range.lower(), range.upper());
    } else if (predicate instanceof Equality equality) {
      return isEqual(type, cell, equality.value());
    } else if (predicate instanceof InList list) {
      return list.values().stream().anyMatch(value -> isEqual(type, cell, value));
    } else if (predicate instanceof InBloomFilter bloom) {
      return isWithin(type, cell, bloom.lower(), bloom.upper()) && passes(bloom.filters(), cell);
    }
    return predicate instanceof IsNotNull;
  }

  /**
   * The simplest equivalent predicate. It is never an empty range, a range of one value, an empty
   * or unsorted list, or a filter that nothing passes, and it has no bound that excludes nothing.
   */
  public static ColumnPredicate simplify(ColumnPredicate predicate) {
    ColumnSchema column = predicate.column();
    if (predicate instanceof Range range) {
      return range(column, range.lower(), range.upper());
    } else if (predicate instanceof Equality equality) {
      return CellOrder.isNaN(column.type(), equality.value(), 0) ? new None(column) : equality;
    } else if (predicate instanceof InList list) {
      return inList(column, list.values());
    } else if (predicate instanceof InBloomFilter bloom) {
      return bloom(column, bloom.filters(), bloom.lower(), bloom.upper());
    } else if (predicate instanceof IsNull && !column.isNullable()) {
      return new None(column);
    }
    return predicate;
  }

  /** The conjunction of two simplified predicates on one column. */
  private static ColumnPredicate and(ColumnPredicate left, ColumnPredicate right) {
    ColumnSchema column = left.column();
    if (left instanceof None || right instanceof None) {
      return new None(column);
    }
    if (left instanceof IsNull || right instanceof IsNull) {
      return left instanceof IsNull && right instanceof IsNull ? left : new None(column);
    }
    if (left instanceof IsNotNull) {
      return right;
    }
    if (right instanceof IsNotNull) {
      return left;
    }
    if (left instanceof Equality || left instanceof InList) {
      return inList(column, matching(valuesOf(left), right));
    }
    if (right instanceof Equality || right instanceof InList) {
      return inList(column, matching(valuesOf(right), left));
    }
    byte @Nullable [] lower = later(column.type(), lowerOf(left), lowerOf(right));
    byte @Nullable [] upper = earlier(column.type(), upperOf(left), upperOf(right));
    List<BlockBloomFilter> filters = new ArrayList<>(filtersOf(left));
    filters.addAll(filtersOf(right));
    return filters.isEmpty() ? range(column, lower, upper) : bloom(column, filters, lower, upper);
  }

  private static ColumnPredicate range(
      ColumnSchema column, byte @Nullable [] lower, byte @Nullable [] upper) {
    DataType type = column.type();
    byte @Nullable [] from = lower;
    if (from != null && excludesNothing(type, from)) {
      from = null;
    }
    if (isEmpty(type, lower, upper)) {
      return new None(column);
    }
    if (from == null && upper == null) {
      return new IsNotNull(column);
    }
    byte @Nullable [] only = onlyValue(type, from, upper);
    return only == null ? new Range(column, from, upper) : new Equality(column, only);
  }

  /** The only value in the range; null if the range has more values. */
  private static byte @Nullable [] onlyValue(
      DataType type, byte @Nullable [] lower, byte @Nullable [] upper) {
    if (type == DataType.FLOAT || type == DataType.DOUBLE) {
      return null; // -0.0 and 0.0 are equal, so a range is not a single value
    }
    if (lower == null && !hasFixedEnds(type)) {
      return null;
    }
    byte[] first = lower == null ? CellOrder.minimum(type) : lower;
    byte @Nullable [] second = CellOrder.successor(type, first);
    boolean single;
    if (upper == null) {
      single = second == null && hasFixedEnds(type);
    } else {
      single = second != null && CellOrder.compare(type, second, upper) == 0;
    }
    return single ? first : null;
  }

  private static boolean excludesNothing(DataType type, byte[] lower) {
    return hasFixedEnds(type) && Arrays.equals(lower, CellOrder.minimum(type));
  }

  /**
   * Whether all stored cells lie between the type's minimum and maximum. This is false for dates,
   * whose cells are not validated, and for floating-point types.
   */
  private static boolean hasFixedEnds(DataType type) {
    return type != DataType.DATE && type != DataType.FLOAT && type != DataType.DOUBLE;
  }

  private static boolean isEmpty(DataType type, byte @Nullable [] lower, byte @Nullable [] upper) {
    if ((lower != null && CellOrder.isNaN(type, lower, 0))
        || (upper != null && CellOrder.isNaN(type, upper, 0))) {
      return true;
    }
    if (upper == null) {
      return false;
    }
    return lower != null
        ? CellOrder.compare(type, lower, upper) >= 0
        : hasFixedEnds(type) && CellOrder.compare(type, upper, CellOrder.minimum(type)) <= 0;
  }

  /**
   * A list predicate, sorted and without duplicates; simplified to an equality or {@link None} if
   * possible.
   */
  public static ColumnPredicate inList(ColumnSchema column, List<byte[]> values) {
    DataType type = column.type();
    List<byte[]> sorted = new ArrayList<>(values);
    sorted.removeIf(value -> CellOrder.isNaN(type, value, 0));
    sorted.sort((a, b) -> CellOrder.compare(type, a, b));
    List<byte[]> distinct = new ArrayList<>();
    for (byte[] value : sorted) {
      if (distinct.isEmpty()
          || CellOrder.compare(type, distinct.get(distinct.size() - 1), value) != 0) {
        distinct.add(value);
      }
    }
    return switch (distinct.size()) {
      case 0 -> new None(column);
      case 1 -> new Equality(column, distinct.get(0));
      default -> new InList(column, List.copyOf(distinct));
    };
  }

  private static ColumnPredicate bloom(
      ColumnSchema column,
      List<BlockBloomFilter> filters,
      byte @Nullable [] lower,
      byte @Nullable [] upper) {
    DataType type = column.type();
    if (isEmpty(type, lower, upper) || filters.stream().anyMatch(BlockBloomFilter::alwaysFalse)) {
      return new None(column);
    }
    byte @Nullable [] from = lower != null && excludesNothing(type, lower) ? null : lower;
    return new InBloomFilter(column, List.copyOf(filters), from, upper);
  }

  private static List<byte[]> matching(List<byte[]> values, ColumnPredicate predicate) {
    return values.stream()
        .filter(
            value ->
                matches(predicate, value)
                    || matches(predicate, otherZero(predicate.column().type(), value)))
        .toList();
  }

  /**
   * Returns the zero with the opposite sign if the cell is a floating-point zero: 0.0 and -0.0 are
   * equal, but have different hashes in a Bloom filter. Returns any other cell unchanged.
   */
  private static byte[] otherZero(DataType type, byte[] cell) {
    if (type != DataType.FLOAT && type != DataType.DOUBLE) {
      return cell;
    }
    byte[] zero = new byte[cell.length];
    if (CellOrder.compare(type, cell, zero) != 0) {
      return cell;
    }
    zero[zero.length - 1] = (byte) ~cell[cell.length - 1];
    zero[zero.length - 1] &= (byte) 0x80;
    return zero;
  }

  private static List<byte[]> valuesOf(ColumnPredicate predicate) {
    return predicate instanceof InList list
        ? list.values()
        : List.of(((Equality) predicate).value());
  }

  private static byte @Nullable [] lowerOf(ColumnPredicate predicate) {
    return predicate instanceof Range range ? range.lower() : ((InBloomFilter) predicate).lower();
  }

  private static byte @Nullable [] upperOf(ColumnPredicate predicate) {
    return predicate instanceof Range range ? range.upper() : ((InBloomFilter) predicate).upper();
  }

  private static List<BlockBloomFilter> filtersOf(ColumnPredicate predicate) {
    return predicate instanceof InBloomFilter bloom ? bloom.filters() : List.of();
  }

  private static byte @Nullable [] later(DataType type, byte @Nullable [] a, byte @Nullable [] b) {
    if (a == null || b == null) {
      return a == null ? b : a;
    }
    return CellOrder.compare(type, a, b) >= 0 ? a : b;
  }

  private static byte @Nullable [] earlier(
      DataType type, byte @Nullable [] a, byte @Nullable [] b) {
    if (a == null || b == null) {
      return a == null ? b : a;
    }
    return CellOrder.compare(type, a, b) <= 0 ? a : b;
  }

  private static boolean isWithin(
      DataType type, byte[] cell, byte @Nullable [] lower, byte @Nullable [] upper) {
    if (lower == null && upper == null) {
      return true;
    }
    return !CellOrder.isNaN(type, cell, 0)
        && !isEmpty(type, lower, upper)
        && (lower == null || CellOrder.compare(type, cell, lower) >= 0)
        && (upper == null || CellOrder.compare(type, cell, upper) < 0);
  }

  private static boolean isEqual(DataType type, byte[] cell, byte[] value) {
    return !CellOrder.isNaN(type, cell, 0) && CellOrder.compare(type, cell, value) == 0;
  }

  private static boolean passes(List<BlockBloomFilter> filters, byte[] cell) {
    for (BlockBloomFilter filter : filters) {
      if (!filter.mayContainCell(cell, 0, cell.length)) {
        return false;
      }
    }
    return true;
  }
}
