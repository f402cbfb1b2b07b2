package dev.kudu4j.client;

import dev.kudu4j.ColumnSchema;
import dev.kudu4j.Schema;
import dev.kudu4j.Type;
import dev.kudu4j.client.KuduPredicate.ComparisonOp;
import dev.kudu4j.common.expression.Condition;
import dev.kudu4j.common.expression.Condition.Comparison;
import dev.kudu4j.common.expression.ExpressionText;
import dev.kudu4j.common.expression.LikePattern;
import dev.kudu4j.common.proto.expression.ConditionPB;
import dev.kudu4j.common.wire.ConditionWire;
import java.util.ArrayList;
import java.util.List;

/**
 * A filter on rows: predicates, patterns, comparisons of columns and expressions, and samples,
 * joined by AND, OR and NOT. Immutable.
 *
 * <p>As in SQL, a comparison with NULL is neither true nor false, and a scan returns the rows for
 * which the whole condition is true. A predicate on a single column that is to hold together with
 * others is better added with {@link AbstractKuduScannerBuilder#addPredicate}: it may also select
 * the tablets and the key range to read.
 *
 * <pre>{@code
 * KuduCondition late = KuduCondition.or(
 *     KuduPredicate.newComparisonPredicate(delay, GREATER, 60L).asCondition(),
 *     KuduCondition.like(remark, "%cancelled%"));
 * }</pre>
 */
public final class KuduCondition {
  private final Condition condition;

  KuduCondition(Condition condition) {
    this.condition = condition;
  }

  /** True if all conditions are true. */
  public static KuduCondition and(KuduCondition... conditions) {
    List<Condition> parts = new ArrayList<>();
    for (KuduCondition part : conditions) { // flat, because messages must not be nested deeply
      parts.addAll(
          part.condition instanceof Condition.And and ? and.parts() : List.of(part.condition));
    }
    return new KuduCondition(new Condition.And(parts));
  }

  /** True if one of the conditions is true. */
  public static KuduCondition or(KuduCondition... conditions) {
    List<Condition> parts = new ArrayList<>();
    for (KuduCondition part : conditions) {
      parts.addAll(
          part.condition instanceof Condition.Or or ? or.parts() : List.of(part.condition));
    }
    return new KuduCondition(new Condition.Or(parts));
  }

  /** True if this condition is false; unknown if it is unknown. */
  public KuduCondition not() {
    return new KuduCondition(new Condition.Not(condition));
  }

  /**
   * True if the text matches a pattern of SQL's LIKE: {@code %} stands for any characters, {@code
   * _} for one character, and a backslash makes the next character stand for itself.
   *
   * @throws IllegalArgumentException for a column that is not text, or an invalid pattern
   */
  public static KuduCondition like(ColumnSchema column, String pattern) {
    return like(column, pattern, '\\');
  }

  /** Like {@link #like(ColumnSchema, String)}, with another escape character. */
  public static KuduCondition like(ColumnSchema column, String pattern, char escape) {
    KuduPredicate.checkColumn(column, Type.STRING, Type.VARCHAR);
    try {
      return new KuduCondition(
          new Condition.Like(
              AbstractKuduScannerBuilder.stripped(column), LikePattern.of(pattern, escape)));
    } catch (dev.kudu4j.common.status.KuduException e) {
      throw new IllegalArgumentException(e.getMessage(), e);
    }
  }

  /**
   * Compares two columns.
   *
   * @throws IllegalArgumentException for columns of different types; numbers of different types can
   *     be compared with {@link KuduExpression#compare}
   */
  public static KuduCondition compare(ColumnSchema left, ComparisonOp op, ColumnSchema right) {
    if (!Condition.areComparable(left.toCommon(), right.toCommon())) {
      throw new IllegalArgumentException(
          left + " and " + right + " have different types and cannot be compared");
    }
    return new KuduCondition(
        new Condition.ColumnComparison(
            comparison(op),
            AbstractKuduScannerBuilder.stripped(left),
            AbstractKuduScannerBuilder.stripped(right)));
  }

  /**
   * True for about this fraction of the rows of a table; the others are false, none is unknown. A
   * hash of the primary key and the seed selects the rows, so repeated reads, also of other
   * replicas, return the same rows, and {@code sample(schema, 0.1, 7)} is a part of {@code
   * sample(schema, 0.2, 7)}.
   *
   * @param schema the schema of the table
   * @param fraction the fraction, from 0 to 1
   * @param seed samples of different seeds are independent of each other
   * @throws IllegalArgumentException for a fraction out of range
   */
  public static KuduCondition sample(Schema schema, double fraction, long seed) {
    return sample(schema.getPrimaryKeyColumns(), 0, fraction, seed);
  }

  /**
   * True for the rows whose place, a number in [0, 1) that is a hash of columns and seed, is in
   * {@code [lower, upper)}. Ranges that do not overlap select different rows: {@code [0, 0.8)} and
   * {@code [0.8, 1)} divide a table into two parts.
   *
   * <p>Rows with equal values in all of these columns have the same place. So a sample by the
   * customer has all rows of a part of the customers, and samples of two tables by the columns of a
   * join, which may have different integer types, fit together.
   *
   * @param columns columns of the table, of any type but FLOAT and DOUBLE
   * @throws IllegalArgumentException for such a column, for no column, or a range that is not
   *     within 0 and 1
   */
  public static KuduCondition sample(
      List<ColumnSchema> columns, double lower, double upper, long seed) {
    try {
      return new KuduCondition(
          new Condition.Sample(
              columns.stream().map(AbstractKuduScannerBuilder::stripped).toList(),
              lower,
              upper,
              seed));
    } catch (dev.kudu4j.common.status.KuduException e) {
      throw new IllegalArgumentException(e.getMessage(), e);
    }
  }

  static Comparison comparison(ComparisonOp op) {
    return switch (op) {
      case EQUAL -> Comparison.EQUAL;
      case LESS -> Comparison.LESS;
      case LESS_EQUAL -> Comparison.LESS_EQUAL;
      case GREATER -> Comparison.GREATER;
      case GREATER_EQUAL -> Comparison.GREATER_EQUAL;
    };
  }

  Condition toCommon() {
    return condition;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof KuduCondition that && wire().equals(that.wire());
  }

  @Override
  public int hashCode() {
    return wire().hashCode();
  }

  private ConditionPB wire() {
    return ConditionWire.toWire(condition);
  }

  /** The condition in SQL. */
  @Override
  public String toString() {
    return ExpressionText.of(condition, false);
  }
}
