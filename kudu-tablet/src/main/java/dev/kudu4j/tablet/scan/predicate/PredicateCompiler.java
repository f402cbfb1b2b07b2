package dev.kudu4j.tablet.scan.predicate;

import dev.kudu4j.common.expression.Condition;
import dev.kudu4j.common.expression.Expression;
import dev.kudu4j.common.expression.LikePattern;
import dev.kudu4j.common.key.PrefixRange;
import dev.kudu4j.common.predicate.ColumnPredicate;
import dev.kudu4j.common.predicate.ColumnPredicate.InBloomFilter;
import dev.kudu4j.common.predicate.ColumnPredicates;
import dev.kudu4j.common.schema.CellOrder;
import dev.kudu4j.common.schema.ColumnSchema;
import dev.kudu4j.common.schema.DataType;
import dev.kudu4j.tablet.scan.expression.ExpressionCompiler;
import dev.kudu4j.tablet.scan.expression.RowChunk;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Compiles column predicates, joined by AND, and a condition into a predicate tree. Cheap tests
 * come first. If one of them is a contradiction, the whole tree matches no row.
 *
 * <p>Negations move down to the leaves, so a node needs to know only for which rows it is true: the
 * rows for which it is false or unknown are dropped alike.
 */
public final class PredicateCompiler {
  private static final PredicateNode NOTHING = new FalseNode();

  private final ToIntFunction<ColumnSchema> columnNumber;
  private final int maxRows;
  private @Nullable ExpressionCompiler expressions; // created when a condition needs it
  private @Nullable RowChunk chunk; // shared by all comparisons, as their expressions are

  /**
   * @param columnNumber returns the number of a column in a {@link RowBlock}
   * @param maxRows the maximum number of rows of a block
   */
  public PredicateCompiler(ToIntFunction<ColumnSchema> columnNumber, int maxRows) {
    this.columnNumber = columnNumber;
    this.maxRows = maxRows;
  }

  public PredicateNode compile(List<ColumnPredicate> predicates) {
    return compile(predicates, null);
  }

  /**
   * @param condition joined with the predicates by AND; null for none
   */
  public PredicateNode compile(List<ColumnPredicate> predicates, @Nullable Condition condition) {
    return and(conjuncts(predicates, condition == null ? List.of() : List.of(condition)));
  }

  /** Whether the tree is known to match no row. */
  public static boolean isNothing(PredicateNode tree) {
    return tree == NOTHING;
  }

  private static PredicateNode and(List<PredicateNode> parts) {
    if (parts.contains(NOTHING)) {
      return NOTHING;
    }
    List<PredicateNode> nodes = new ArrayList<>(parts);
    nodes.removeIf(node -> node == PredicateNode.ALL);
    nodes.sort(Comparator.comparingInt(PredicateCompiler::cost));
    return switch (nodes.size()) {
      case 0 -> PredicateNode.ALL;
      case 1 -> nodes.get(0);
      default -> new AndNode(nodes);
    };
  }

  private PredicateNode or(List<PredicateNode> parts) {
    if (parts.contains(PredicateNode.ALL)) {
      return PredicateNode.ALL;
    }
    List<PredicateNode> nodes = new ArrayList<>(parts);
    nodes.removeIf(node -> node == NOTHING);
    nodes.sort(Comparator.comparingInt(PredicateCompiler::cost));
    return switch (nodes.size()) {
      case 0 -> NOTHING;
      case 1 -> nodes.get(0);
      default -> new OrNode(nodes, maxRows);
    };
  }

  /**
   * The nodes of predicates and conditions that are joined by AND. All predicates on one column
   * become one: a lower and an upper bound are a range, which page statistics and indexes evaluate
   * much better than its two halves.
   */
  private List<PredicateNode> conjuncts(
      List<ColumnPredicate> predicates, List<Condition> conditions) {
    List<ColumnPredicate> all = new ArrayList<>(predicates);
    List<PredicateNode> others = new ArrayList<>();
    conditions.forEach(condition -> addConjuncts(condition, all, others));
    List<PredicateNode> nodes = new ArrayList<>();
    List<ColumnPredicate> mergeable = new ArrayList<>(all);
    mergeable.removeIf(InBloomFilter.class::isInstance); // they tell 0.0 from -0.0, lists do not
    ColumnPredicates.merge(mergeable).forEach(predicate -> addLeaves(predicate, nodes));
    for (ColumnPredicate predicate : all) {
      if (predicate instanceof InBloomFilter) {
        addLeaves(predicate, nodes);
      }
    }
    nodes.addAll(others);
    return nodes;
  }

  private void addConjuncts(
      Condition condition, List<ColumnPredicate> predicates, List<PredicateNode> others) {
    if (condition instanceof Condition.And and) {
      and.parts().forEach(part -> addConjuncts(part, predicates, others));
    } else if (condition instanceof Condition.Match match) {
      predicates.add(match.predicate());
    } else {
      others.add(node(condition, false));
    }
  }

  private PredicateNode node(Condition condition, boolean negated) {
    if (condition instanceof Condition.Not not) {
      return node(not.part(), !negated);
    } else if (condition instanceof Condition.And and) {
      return negated ? or(nodes(and.parts(), true)) : and(conjuncts(List.of(), and.parts()));
    } else if (condition instanceof Condition.Or or) {
      List<PredicateNode> parts = nodes(or.parts(), negated);
      return negated ? and(parts) : or(parts);
    } else if (condition instanceof Condition.Match match) {
      return match(match.predicate(), negated);
    } else if (condition instanceof Condition.Like like) {
      return like(like, negated);
    } else if (condition instanceof Condition.NumberComparison numbers) {
      return compare(numbers.comparison(), numbers.left(), numbers.right(), negated);
    } else if (condition instanceof Condition.Sample sample) {
      return sample(sample, negated);
    }
    Condition.ColumnComparison columns = (Condition.ColumnComparison) condition;
    ColumnSchema left = columns.left();
    ColumnSchema right = columns.right();
    return left.type().isNumber()
        ? compare(columns.comparison(), Expression.column(left), Expression.column(right), negated)
        : new CellComparisonNode(columns.comparison(), number(left), number(right), negated);
  }

  private List<PredicateNode> nodes(List<Condition> parts, boolean negated) {
    return parts.stream().map(part -> node(part, negated)).toList();
  }

  private PredicateNode compare(
      Condition.Comparison comparison, Expression left, Expression right, boolean negated) {
    if (expressions == null) {
      expressions = new ExpressionCompiler(columnNumber);
    }
    if (chunk == null) {
      chunk = new RowChunk();
    }
    ExpressionCompiler.Pair pair = expressions.compile(left, right);
    return new NumberComparisonNode(chunk, comparison, pair.left(), pair.right(), negated);
  }

  private PredicateNode match(ColumnPredicate predicate, boolean negated) {
    List<PredicateNode> leaves = new ArrayList<>();
    addLeaves(predicate, leaves);
    if (!negated) {
      return and(leaves);
    }
    return or(leaves.stream().map(leaf -> negate(leaf, predicate.column())).toList());
  }

  /** The rows for which a leaf on the column is false. */
  private PredicateNode negate(PredicateNode leaf, ColumnSchema column) {
    if (leaf == NOTHING) {
      return notNull(column);
    }
    return leaf instanceof NullLeaf nulls
        ? new NullLeaf(number(column), !nulls.wantsNull(), maxRows)
        : new NegatedLeaf((ColumnLeaf) leaf, maxRows);
  }

  private PredicateNode notNull(ColumnSchema column) {
    return column.isNullable() ? new NullLeaf(number(column), false, maxRows) : PredicateNode.ALL;
  }

  private PredicateNode like(Condition.Like like, boolean negated) {
    LikePattern pattern = like.pattern();
    byte[] prefix = pattern.prefix();
    ColumnSchema column = like.column();
    byte[] behind = PrefixRange.end(prefix);
    if (pattern.isExact()) {
      return match(new ColumnPredicate.Equality(column, prefix), negated);
    }
    if (prefix.length == 0 && pattern.isPrefix()) {
      return negated ? NOTHING : notNull(column);
    }
    ColumnPredicate range = new ColumnPredicate.Range(column, prefix, behind);
    if (pattern.isPrefix()) {
      return match(range, negated);
    }
    LikeLeaf leaf = new LikeLeaf(number(column), maxRows, pattern);
    if (negated) {
      return new NegatedLeaf(leaf, maxRows);
    }
    return prefix.length == 0 ? leaf : and(List.of(match(range, false), leaf));
  }

  private PredicateNode sample(Condition.Sample sample, boolean negated) {
    if (sample.isAll() || sample.isEmpty()) {
      return sample.isAll() != negated ? PredicateNode.ALL : NOTHING;
    }
    return new SampleNode(sample, columnNumber, negated);
  }

  private int number(ColumnSchema column) {
    return columnNumber.applyAsInt(column);
  }

  private void addLeaves(ColumnPredicate predicate, List<PredicateNode> leaves) {
    ColumnSchema column = predicate.column();
    int number = number(column);
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

  private PredicateNode range(
      int number, DataType type, byte @Nullable [] lower, byte @Nullable [] upper) {
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
    if (leaf instanceof NegatedLeaf negated) {
      return cost(negated.filter());
    }
    if (leaf instanceof NullLeaf || leaf instanceof FalseNode) {
      return 0;
    }
    if (leaf instanceof IntegerLeaf integer) {
      return integer.matchesWholeRange() ? 1 : 3;
    }
    if (leaf instanceof SampleNode) {
      return 3; // reads its columns of all rows, but usually leaves few rows to the others
    }
    if (leaf instanceof FloatingLeaf floating) {
      return floating.matchesWholeRange() ? 2 : 3;
    }
    if (leaf instanceof BytesLeaf) {
      return 4;
    }
    return leaf instanceof ColumnLeaf ? 5 : 6;
  }
}
