package dev.kudu4j.common.expression;

import dev.kudu4j.common.predicate.ColumnPredicate;
import dev.kudu4j.common.schema.ColumnSchema;
import dev.kudu4j.common.status.KuduException;
import java.util.List;
import java.util.function.Consumer;

/**
 * A filter on rows, a tree in SQL's three-valued logic. It keeps the rows for which it is true, not
 * those for which it is false or unknown. A comparison with NULL is unknown. Floats compare as in
 * IEEE 754: a NaN is unequal to everything, itself included.
 */
public sealed interface Condition {
  /** True if all parts are true. Without parts, true. */
  record And(List<Condition> parts) implements Condition {
    public And {
      parts = List.copyOf(parts);
    }
  }

  /** True if a part is true. Without parts, false. */
  record Or(List<Condition> parts) implements Condition {
    public Or {
      parts = List.copyOf(parts);
    }
  }

  /** Unknown if the part is unknown. */
  record Not(Condition part) implements Condition {}

  /**
   * A predicate on one column. On NULL it is unknown, except that {@link ColumnPredicate.IsNull} is
   * true and {@link ColumnPredicate.IsNotNull} is false.
   */
  record Match(ColumnPredicate predicate) implements Condition {}

  /** A string matches a pattern; see {@link LikePattern}. */
  record Like(ColumnSchema column, LikePattern pattern) implements Condition {}

  /** Compares the numbers of two expressions, exactly unless one of them is floating. */
  record NumberComparison(Comparison comparison, Expression left, Expression right)
      implements Condition {}

  /** Compares two columns of one type and scale, or two columns of text or bytes. */
  record ColumnComparison(Comparison comparison, ColumnSchema left, ColumnSchema right)
      implements Condition {}

  /**
   * True for the rows whose place, a number in [0, 1) that a hash of some columns and a seed
   * determines ({@link SampleHash}), is in {@code [lower, upper)}; never unknown. So it keeps the
   * same rows on every replica and on repeated reads, and ranges that do not overlap keep different
   * rows.
   *
   * @param columns not empty, and not floating: equal values of these may have different bits
   */
  record Sample(List<ColumnSchema> columns, double lower, double upper, long seed)
      implements Condition {
    public Sample {
      columns = List.copyOf(columns);
      if (columns.isEmpty()) {
        throw KuduException.invalidArgument("A sample needs a column to select rows by");
      }
      for (ColumnSchema column : columns) {
        if (column.type().isFloating()) {
          throw KuduException.invalidArgument(
              "Cannot sample by %s: it is %s; sample by a column of another type",
              column.name(), column.type());
        }
      }
      if (!(lower >= 0 && lower <= upper && upper <= 1)) { // also not if one is NaN
        throw KuduException.invalidArgument(
            "A sample must be a range from 0 to 1, not from %s to %s", lower, upper);
      }
    }

    public boolean isEmpty() {
      return SampleHash.bound(lower) == SampleHash.bound(upper);
    }

    public boolean isAll() {
      return lower == 0 && upper == 1;
    }
  }

  /** A relation of two values. */
  enum Comparison {
    EQUAL("="),
    NOT_EQUAL("<>"),
    LESS("<"),
    LESS_EQUAL("<="),
    GREATER(">"),
    GREATER_EQUAL(">=");

    private final String symbol;

    Comparison(String symbol) {
      this.symbol = symbol;
    }

    /** The operator in SQL. */
    public String symbol() {
      return symbol;
    }

    /** Whether the relation holds between values whose order is {@code order}. */
    public boolean holds(int order) {
      return switch (this) {
        case EQUAL -> order == 0;
        case NOT_EQUAL -> order != 0;
        case LESS -> order < 0;
        case LESS_EQUAL -> order <= 0;
        case GREATER -> order > 0;
        case GREATER_EQUAL -> order >= 0;
      };
    }

    /** Whether the relation holds between two doubles, as in IEEE 754. */
    public boolean holds(double left, double right) {
      return switch (this) {
        case EQUAL -> left == right;
        case NOT_EQUAL -> left != right;
        case LESS -> left < right;
        case LESS_EQUAL -> left <= right;
        case GREATER -> left > right;
        case GREATER_EQUAL -> left >= right;
      };
    }
  }

  /** Whether the cells of two columns can be compared without a conversion. */
  static boolean areComparable(ColumnSchema left, ColumnSchema right) {
    boolean sameType =
        left.type() == right.type()
            || (left.type().isVariableLength() && right.type().isVariableLength());
    return sameType && !left.isArray() && !right.isArray() && left.scale() == right.scale();
  }

  /** Passes each column, possibly more than once. */
  default void forEachColumn(Consumer<ColumnSchema> action) {
    if (this instanceof And and) {
      and.parts().forEach(part -> part.forEachColumn(action));
    } else if (this instanceof Or or) {
      or.parts().forEach(part -> part.forEachColumn(action));
    } else if (this instanceof Not not) {
      not.part().forEachColumn(action);
    } else if (this instanceof Match match) {
      action.accept(match.predicate().column());
    } else if (this instanceof Like like) {
      action.accept(like.column());
    } else if (this instanceof NumberComparison comparison) {
      comparison.left().forEachColumn(action);
      comparison.right().forEachColumn(action);
    } else if (this instanceof ColumnComparison comparison) {
      action.accept(comparison.left());
      action.accept(comparison.right());
    } else if (this instanceof Sample sample) {
      sample.columns().forEach(action);
    }
  }

  /** Whether a part is a sample. */
  default boolean hasSample() {
    if (this instanceof And and) {
      return and.parts().stream().anyMatch(Condition::hasSample);
    } else if (this instanceof Or or) {
      return or.parts().stream().anyMatch(Condition::hasSample);
    }
    return this instanceof Not not ? not.part().hasSample() : this instanceof Sample;
  }
}
