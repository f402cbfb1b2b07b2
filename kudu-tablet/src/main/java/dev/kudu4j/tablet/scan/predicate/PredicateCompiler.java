package dev.kudu4j.tablet.scan.predicate;

import dev.kudu4j.common.predicate.ColumnPredicate;
import dev.kudu4j.common.schema.CellOrder;
import dev.kudu4j.common.schema.ColumnSchema;
import dev.kudu4j.common.schema.DataType;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.ToIntFunction;

/**
 * Compiles column predicates, joined by AND, into a predicate tree. Cheap tests come first. If one
 * predicate is a contradiction, the whole tree matches no row.
 */
public final class PredicateCompiler {
  private static final PredicateNode NOTHING = new FalseNode();

  private final ToIntFunction<ColumnSchema> columnNumber;
  private final int maxRows;

  /**
   * @param columnNumber returns the number of a column in a {@link RowBlock}
   * @param maxRows the maximum number of rows of a block
   */
  public PredicateCompiler(ToIntFunction<ColumnSchema> columnNumber, int maxRows) {
    this.columnNumber = columnNumber;
    this.maxRows = maxRows;
  }

  public PredicateNode compile(List<ColumnPredicate> predicates) {
    List<PredicateNode> leaves = new ArrayList<>();
    for (ColumnPredicate predicate : predicates) {
      addLeaves(predicate, leaves);
    }
    if (leaves.contains(NOTHING)) {
      return NOTHING;
    }
    leaves.sort(Comparator.comparingInt(PredicateCompiler::cost));
    return switch (leaves.size()) {
      case 0 -> PredicateNode.ALL;
      case 1 -> leaves.get(0);
      default -> new AndNode(leaves);
    };
  }

  /** Whether the tree is known to match no row. */
  public static boolean isNothing(PredicateNode tree) {
    return tree == NOTHING;
  }

  private void addLeaves(ColumnPredicate predicate, List<PredicateNode> leaves) {
    ColumnSchema column = predicate.column();
    int number = columnNumber.applyAsInt(column);
    if (predicate instanceof ColumnPredicate.Range range) {
      leaves.add(range(number, column.type(), range.lower(), range.upper()));
    } else if (predicate instanceof ColumnPredicate.Equality equality) {
      leaves.add(list(number, column.type(), List.of(equality.value())));
    } else if (predicate instanceof ColumnPredicate.InList inList) {
      leaves.add(list(number, column.type(), inList.values()));
    } else if (predicate instanceof ColumnPredicate.InBloomFilter bloom) {
      if (bloom.lower() != null || bloom.upper() != null) {
        leaves.add(range(number, column.type(), bloom.lower(), bloom.upper()));
      }
      leaves.add(new BloomLeaf(number, maxRows, bloom.filters()));
    } else if (predicate instanceof ColumnPredicate.None) {
      leaves.add(NOTHING);
    } else {
      boolean wantNull = predicate instanceof ColumnPredicate.IsNull;
      leaves.add(new NullLeaf(number, wantNull, maxRows));
    }
  }

  private PredicateNode range(int number, DataType type, byte[] lower, byte[] upper) {
    if ((lower != null && CellOrder.isNaN(type, lower, 0))
        || (upper != null && CellOrder.isNaN(type, upper, 0))
        || (lower != null && upper != null && CellOrder.compare(type, lower, upper) >= 0)) {
      return NOTHING;
    }
    if (IntegerLeaf.fits(type)) {
      byte[] first = lower == null ? IntegerLeaf.smallest(type) : lower;
      byte[] last = upper == null ? IntegerLeaf.largest(type) : IntegerLeaf.before(type, upper);
      return last == null ? NOTHING : IntegerLeaf.range(number, maxRows, type, first, last);
    }
    if (type == DataType.FLOAT || type == DataType.DOUBLE) {
      boolean belowAll =
          upper != null && CellOrder.compare(type, upper, CellOrder.minimum(type)) <= 0;
      return belowAll ? NOTHING : FloatingLeaf.range(number, maxRows, type, lower, upper);
    }
    return BytesLeaf.range(number, maxRows, type, lower, upper);
  }

  private PredicateNode list(int number, DataType type, List<byte[]> values) {
    List<byte[]> sorted = new ArrayList<>(values);
    sorted.removeIf(value -> CellOrder.isNaN(type, value, 0));
    sorted.sort((a, b) -> CellOrder.compare(type, a, b));
    if (sorted.isEmpty()) {
      return NOTHING;
    }
    if (IntegerLeaf.fits(type)) {
      return sorted.size() == 1
          ? IntegerLeaf.range(number, maxRows, type, sorted.get(0), sorted.get(0))
          : IntegerLeaf.list(number, maxRows, type, sorted);
    }
    return type == DataType.FLOAT || type == DataType.DOUBLE
        ? FloatingLeaf.list(number, maxRows, type, sorted)
        : BytesLeaf.list(number, maxRows, type, sorted);
  }

  private static int cost(PredicateNode leaf) {
    if (leaf instanceof NullLeaf || leaf instanceof FalseNode) {
      return 0;
    }
    if (leaf instanceof IntegerLeaf integer) {
      return integer.matchesWholeRange() ? 1 : 3;
    }
    if (leaf instanceof FloatingLeaf floating) {
      return floating.matchesWholeRange() ? 2 : 3;
    }
    return leaf instanceof BytesLeaf ? 4 : 5;
  }
}
