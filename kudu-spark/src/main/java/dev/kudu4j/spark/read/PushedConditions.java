package dev.kudu4j.spark.read;

import dev.kudu4j.ColumnSchema;
import dev.kudu4j.Schema;
import dev.kudu4j.Type;
import dev.kudu4j.client.KuduCondition;
import dev.kudu4j.client.KuduPredicate;
import dev.kudu4j.client.KuduPredicate.ComparisonOp;
import dev.kudu4j.spark.type.CellValue;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.apache.spark.sql.connector.expressions.Expression;
import org.apache.spark.sql.connector.expressions.Literal;
import org.apache.spark.sql.connector.expressions.filter.Predicate;

/**
 * Translates Spark's predicates to conditions of the servers if both have the same value, true,
 * false or unknown, in every row; so the translation also holds below NOT. It covers what {@link
 * PushedPredicates} cannot: OR, NOT, {@code <>}, text that contains or ends with other text, and
 * comparisons of columns and of arithmetic.
 *
 * <p>NaN is greater than all numbers in Spark, and below and above none at the servers. So {@code x
 * > 1} becomes {@code NOT x <= 1}, which is true for NaN. Floating-point columns are not compared
 * with each other.
 */
final class PushedConditions {
  /** Messages must not be nested deeply. */
  private static final int MAX_LEVELS = 20;

  private final PushedPredicates predicates;
  private final PushedExpressions expressions;

  PushedConditions(Schema schema) {
    this.predicates = new PushedPredicates(schema);
    this.expressions = new PushedExpressions(schema);
  }

  Optional<KuduCondition> translate(Expression expression) {
    return translate(expression, "", MAX_LEVELS);
  }

  /**
   * @param above the operator above, whose operands on the same level are one list
   * @param levels how many levels of other operators may follow
   */
  private Optional<KuduCondition> translate(Expression expression, String above, int levels) {
    if (!(expression instanceof Predicate predicate)) {
      return flag(expression);
    }
    Expression[] children = predicate.children();
    String name = predicate.name();
    int left = name.equals(above) && !name.equals("NOT") ? levels : levels - 1;
    if (left == 0) {
      return Optional.empty();
    }
    return switch (name) {
      case "AND" ->
          both(children, name, left).map(sides -> KuduCondition.and(sides.get(0), sides.get(1)));
      case "OR" ->
          both(children, name, left).map(sides -> KuduCondition.or(sides.get(0), sides.get(1)));
      case "NOT" -> translate(children[0], name, left).map(KuduCondition::not);
      case "=" -> compare(children, ComparisonOp.EQUAL);
      case "<>" -> compare(children, ComparisonOp.EQUAL).map(KuduCondition::not);
      case "<=>" -> nullSafeEqual(children);
      case "<" -> compare(children, ComparisonOp.LESS);
      case "<=" -> compare(children, ComparisonOp.LESS_EQUAL);
      case ">" -> compare(children, ComparisonOp.GREATER);
      case ">=" -> compare(children, ComparisonOp.GREATER_EQUAL);
      case "IN" -> in(predicate);
      case "IS_NULL", "IS_NOT_NULL" -> single(predicate);
      case "STARTS_WITH" -> like(children, "", "%");
      case "ENDS_WITH" -> like(children, "%", "");
      case "CONTAINS" -> like(children, "%", "%");
      case "BOOLEAN_EXPRESSION" -> flag(children[0]);
      default -> Optional.empty();
    };
  }

  private Optional<List<KuduCondition>> both(Expression[] children, String above, int levels) {
    Optional<KuduCondition> left = translate(children[0], above, levels);
    Optional<KuduCondition> right = translate(children[1], above, levels);
    return left.isEmpty() || right.isEmpty()
        ? Optional.empty()
        : Optional.of(List.of(left.get(), right.get()));
  }

  /** A BOOL column as a condition. */
  private Optional<KuduCondition> flag(Expression expression) {
    return expressions
        .column(expression)
        .filter(column -> column.getType() == Type.BOOL)
        .map(
            column ->
                KuduPredicate.newComparisonPredicate(column, ComparisonOp.EQUAL, true)
                    .asCondition());
  }

  private Optional<KuduCondition> single(Predicate predicate) {
    return predicates
        .translate(predicate)
        .filter(translated -> translated.size() == 1)
        .map(translated -> translated.get(0).asCondition());
  }

  // ---------------------------------------------------------------- comparisons

  private Optional<KuduCondition> compare(Expression[] sides, ComparisonOp op) {
    if (sides[0] instanceof Literal<?> && !(sides[1] instanceof Literal<?>)) {
      return compare(new Expression[] {sides[1], sides[0]}, PushedPredicates.flipped(op));
    }
    Optional<ColumnSchema> column = expressions.column(sides[0]);
    if (column.isPresent() && sides[1] instanceof Literal<?>) {
      Optional<KuduCondition> known = compareWithLiteral(sides, column.get(), op);
      if (known.isPresent()) {
        return known;
      }
    }
    Optional<ColumnSchema> other = expressions.column(sides[1]);
    if (column.isPresent() && other.isPresent() && areAlike(column.get(), other.get())) {
      return Optional.of(KuduCondition.compare(column.get(), op, other.get()));
    }
    Optional<PushedExpressions.Typed> left = expressions.translate(sides[0]);
    Optional<PushedExpressions.Typed> right = expressions.translate(sides[1]);
    return left.isPresent() && right.isPresent() && left.get().isComparableWith(right.get())
        ? Optional.of(left.get().expression().compare(op, right.get().expression()))
        : Optional.empty();
  }

  private Optional<KuduCondition> compareWithLiteral(
      Expression[] sides, ColumnSchema column, ComparisonOp op) {
    boolean aboveNumber =
        !PushedExpressions.isOrdered(column)
            && (op == ComparisonOp.GREATER || op == ComparisonOp.GREATER_EQUAL);
    if (aboveNumber) {
      ComparisonOp inverse =
          op == ComparisonOp.GREATER ? ComparisonOp.LESS_EQUAL : ComparisonOp.LESS;
      return compareWithLiteral(sides, column, inverse).map(KuduCondition::not);
    }
    return predicates
        .compare(sides, op)
        .filter(translated -> translated.size() == 1)
        .map(translated -> translated.get(0).asCondition());
  }

  /** Whether the servers compare the cells of the columns as Spark does. */
  private static boolean areAlike(ColumnSchema left, ColumnSchema right) {
    return left.getType() == right.getType()
        && left.isWithoutTimeZone() == right.isWithoutTimeZone()
        && PushedExpressions.isOrdered(left)
        && left.getTypeSize() == right.getTypeSize()
        && (left.getType() != Type.DECIMAL
            || left.getTypeAttributes().getScale() == right.getTypeAttributes().getScale());
  }

  /** False instead of unknown if the column is NULL; the other side is a value. */
  private Optional<KuduCondition> nullSafeEqual(Expression[] sides) {
    Optional<ColumnSchema> column =
        expressions.column(sides[0] instanceof Literal<?> ? sides[1] : sides[0]);
    boolean withValue =
        (sides[0] instanceof Literal<?> left && left.value() != null)
            || (sides[1] instanceof Literal<?> right && right.value() != null);
    if (column.isEmpty() || !withValue) {
      return Optional.empty();
    }
    KuduCondition present = KuduPredicate.newIsNotNullPredicate(column.get()).asCondition();
    return compare(sides, ComparisonOp.EQUAL).map(equal -> KuduCondition.and(equal, present));
  }

  // ---------------------------------------------------------------- lists and text

  private Optional<KuduCondition> in(Predicate predicate) {
    boolean anyNull =
        Arrays.stream(predicate.children())
            .anyMatch(child -> child instanceof Literal<?> literal && literal.value() == null);
    return anyNull ? Optional.empty() : single(predicate);
  }

  private Optional<KuduCondition> like(Expression[] children, String before, String after) {
    Optional<ColumnSchema> column = expressions.column(children[0]);
    if (column.isEmpty()
        || (column.get().getType() != Type.STRING && column.get().getType() != Type.VARCHAR)
        || !(children[1] instanceof Literal<?> literal)) {
      return Optional.empty();
    }
    return CellValue.of(column.get(), literal)
        .map(
            text -> {
              String escaped = ((String) text).replaceAll("[\\\\%_]", "\\\\$0");
              return KuduCondition.like(column.get(), before + escaped + after);
            });
  }
}
