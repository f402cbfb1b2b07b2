package dev.kudu4j.spark.read;

import dev.kudu4j.CellForm;
import dev.kudu4j.ColumnSchema;
import dev.kudu4j.Schema;
import dev.kudu4j.Type;
import dev.kudu4j.client.KuduPredicate;
import dev.kudu4j.client.KuduPredicate.ComparisonOp;
import dev.kudu4j.spark.type.CellValue;
import dev.kudu4j.util.BloomFilter;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.spark.sql.connector.expressions.Expression;
import org.apache.spark.sql.connector.expressions.Literal;
import org.apache.spark.sql.connector.expressions.NamedReference;
import org.apache.spark.sql.connector.expressions.filter.Predicate;

/**
 * Translates Spark's predicates to predicates of the servers if both select exactly the same rows,
 * so Spark need not evaluate them again. Other predicates are not translated; Spark evaluates them.
 *
 * <p>These differences prevent a translation:
 *
 * <ul>
 *   <li>NaN is the greatest number in Spark and matches no predicate of a server. On floating
 *       point, Spark therefore evaluates {@code x > 1} itself; servers evaluate {@code x < 1} and
 *       {@code x = 1}. Spark and the servers both treat -0.0 and 0.0 as equal.
 *   <li>A decimal that the column's type cannot represent; a date outside the years 1 to 9999.
 *   <li>Text that is not UTF-8.
 * </ul>
 *
 * <p>In a filter, NULL is equivalent to false. Therefore lists may contain NULLs, which match
 * nothing, and {@code <=>} with a value is {@code =}.
 */
public final class PushedPredicates {
  /** Longer lists of a hint are sent as Bloom filters, with about one byte per value. */
  private static final int LONGEST_LIST = 1_000;

  private final Schema schema;

  public PushedPredicates(Schema schema) {
    this.schema = schema;
  }

  /**
   * Predicates whose conjunction is equivalent to {@code predicate}; empty if the servers have no
   * equivalent ones.
   */
  public Optional<List<KuduPredicate>> translate(Predicate predicate) {
    Expression[] children = predicate.children();
    return switch (predicate.name()) {
      case "=", "<=>" -> compare(children, ComparisonOp.EQUAL);
      case "<" -> compare(children, ComparisonOp.LESS);
      case "<=" -> compare(children, ComparisonOp.LESS_EQUAL);
      case ">" -> compare(children, ComparisonOp.GREATER);
      case ">=" -> compare(children, ComparisonOp.GREATER_EQUAL);
      case "IN", "OR" -> valuesOf(predicate).flatMap(Values::predicate).map(List::of);
      case "IS_NULL" -> column(children[0]).map(KuduPredicate::newIsNullPredicate).map(List::of);
      case "IS_NOT_NULL" ->
          column(children[0]).map(KuduPredicate::newIsNotNullPredicate).map(List::of);
      case "STARTS_WITH" -> startsWith(children);
      case "BOOLEAN_EXPRESSION" -> is(children[0], true);
      case "NOT" -> not(children[0]);
      case "AND" -> and(children);
      case "ALWAYS_TRUE" -> Optional.of(List.of());
      default -> Optional.empty();
    };
  }

  /**
   * Predicates that exclude rows which a join does not need: a list if it is short, otherwise a
   * Bloom filter, which also passes some rows that the join does not need. Empty if nothing can be
   * excluded.
   */
  Optional<List<KuduPredicate>> hint(Predicate predicate) {
    if (!predicate.name().equals("IN") || predicate.children().length <= LONGEST_LIST) {
      return translate(predicate);
    }
    return valuesOf(predicate).flatMap(Values::bloomFilter).map(List::of);
  }

  private Optional<ColumnSchema> column(Expression expression) {
    if (expression instanceof NamedReference reference
        && reference.fieldNames().length == 1
        && schema.hasColumn(reference.fieldNames()[0])) {
      return Optional.of(schema.getColumn(reference.fieldNames()[0]));
    }
    return Optional.empty();
  }

  // ---------------------------------------------------------------- comparisons

  /** A comparison of a column with a value. */
  Optional<List<KuduPredicate>> compare(Expression[] sides, ComparisonOp op) {
    if (sides[0] instanceof Literal<?> && !(sides[1] instanceof Literal<?>)) {
      return compare(new Expression[] {sides[1], sides[0]}, flipped(op));
    }
    Optional<ColumnSchema> column = column(sides[0]);
    if (column.isEmpty() || !(sides[1] instanceof Literal<?> literal)) {
      return Optional.empty();
    }
    return CellValue.of(column.get(), literal)
        .filter(value -> isExact(column.get(), op, value))
        .map(value -> List.of(compare(column.get(), op, value)));
  }

  /** The operator for exchanged sides. */
  static ComparisonOp flipped(ComparisonOp op) {
    return switch (op) {
      case EQUAL -> ComparisonOp.EQUAL;
      case LESS -> ComparisonOp.GREATER;
      case LESS_EQUAL -> ComparisonOp.GREATER_EQUAL;
      case GREATER -> ComparisonOp.LESS;
      case GREATER_EQUAL -> ComparisonOp.LESS_EQUAL;
    };
  }

  /** Whether Spark and the servers select the same rows even if the column contains NaN. */
  private static boolean isExact(ColumnSchema column, ComparisonOp op, Object value) {
    if (column.getType() != Type.FLOAT && column.getType() != Type.DOUBLE) {
      return true;
    }
    double number = ((Number) value).doubleValue();
    return switch (op) {
      case EQUAL, LESS -> !Double.isNaN(number);
      case LESS_EQUAL -> number < Double.POSITIVE_INFINITY; // otherwise it would mean "is not NULL"
      case GREATER, GREATER_EQUAL -> false;
    };
  }

  private static KuduPredicate compare(ColumnSchema column, ComparisonOp op, Object value) {
    return column.getType() == Type.DATE
        ? KuduPredicate.newComparisonPredicate(column, op, ((Number) value).longValue())
        : KuduPredicate.newComparisonPredicate(column, op, value);
  }

  // ---------------------------------------------------------------- lists

  /** A column and a list of values, one of which it must have. */
  private record Values(ColumnSchema column, List<Object> values) {
    Optional<KuduPredicate> predicate() {
      return values.isEmpty()
          ? Optional.empty()
          : Optional.of(KuduPredicate.newInListPredicate(column, values));
    }

    /**
     * A Bloom filter of the values. Empty for floating point, whose two equal zeros have different
     * bits.
     */
    Optional<KuduPredicate> bloomFilter() {
      if (column.getType() == Type.FLOAT || column.getType() == Type.DOUBLE) {
        return Optional.empty();
      }
      BloomFilter filter = BloomFilter.byCount(values.size());
      values.forEach(value -> filter.put(CellForm.of(column, value)));
      return Optional.of(KuduPredicate.newInBloomFilterPredicate(column, List.of(filter)));
    }
  }

  /** The values of a list, or of equality comparisons of one column combined with OR. */
  private Optional<Values> valuesOf(Expression expression) {
    if (!(expression instanceof Predicate predicate)) {
      return Optional.empty();
    }
    Expression[] children = predicate.children();
    return switch (predicate.name()) {
      case "=", "<=>" ->
          children[0] instanceof Literal<?>
              ? listed(children[1], children[0])
              : listed(children[0], children[1]);
      case "IN" -> {
        Expression[] values = new Expression[children.length - 1];
        System.arraycopy(children, 1, values, 0, values.length);
        yield listed(children[0], values);
      }
      case "OR" -> either(valuesOf(children[0]), valuesOf(children[1]));
      default -> Optional.empty();
    };
  }

  private Optional<Values> listed(Expression reference, Expression... expressions) {
    Optional<ColumnSchema> column = column(reference);
    if (column.isEmpty()) {
      return Optional.empty();
    }
    List<Object> values = new ArrayList<>(expressions.length);
    for (Expression expression : expressions) {
      if (!(expression instanceof Literal<?> literal)) {
        return Optional.empty();
      }
      if (literal.value() == null) {
        continue;
      }
      Optional<Object> value = CellValue.of(column.get(), literal);
      if (value.isEmpty() || !isExact(column.get(), ComparisonOp.EQUAL, value.get())) {
        return Optional.empty();
      }
      values.add(value.get());
    }
    return Optional.of(new Values(column.get(), values));
  }

  private static Optional<Values> either(Optional<Values> left, Optional<Values> right) {
    if (left.isEmpty() || right.isEmpty() || !left.get().column().equals(right.get().column())) {
      return Optional.empty();
    }
    List<Object> values = new ArrayList<>(left.get().values());
    values.addAll(right.get().values());
    return Optional.of(new Values(left.get().column(), values));
  }

  // ---------------------------------------------------------------- others

  /** Text from the prefix (inclusive) to the next prefix of the same length (exclusive). */
  private Optional<List<KuduPredicate>> startsWith(Expression[] children) {
    Optional<ColumnSchema> column = column(children[0]);
    if (column.isEmpty()
        || (column.get().getType() != Type.STRING && column.get().getType() != Type.VARCHAR)
        || !(children[1] instanceof Literal<?> literal)) {
      return Optional.empty();
    }
    return CellValue.of(column.get(), literal)
        .flatMap(prefix -> startsWith(column.get(), (String) prefix));
  }

  private static Optional<List<KuduPredicate>> startsWith(ColumnSchema column, String prefix) {
    if (prefix.isEmpty()) {
      return Optional.of(List.of(KuduPredicate.newIsNotNullPredicate(column)));
    }
    KuduPredicate from =
        KuduPredicate.newComparisonPredicate(column, ComparisonOp.GREATER_EQUAL, prefix);
    // Increments the last character, not the last byte, since the result must be valid text.
    int last = prefix.codePointBefore(prefix.length());
    int next = last + 1 == Character.MIN_SURROGATE ? Character.MAX_SURROGATE + 1 : last + 1;
    if (next > Character.MAX_CODE_POINT) {
      return Optional.empty();
    }
    String end =
        prefix.substring(0, prefix.length() - Character.charCount(last)) + Character.toString(next);
    KuduPredicate to = KuduPredicate.newComparisonPredicate(column, ComparisonOp.LESS, end);
    return Optional.of(List.of(from, to));
  }

  private Optional<List<KuduPredicate>> is(Expression reference, boolean wanted) {
    return column(reference)
        .filter(column -> column.getType() == Type.BOOL)
        .map(
            column ->
                List.of(KuduPredicate.newComparisonPredicate(column, ComparisonOp.EQUAL, wanted)));
  }

  private Optional<List<KuduPredicate>> not(Expression expression) {
    if (!(expression instanceof Predicate predicate)) {
      return is(expression, false);
    }
    Expression[] children = predicate.children();
    return switch (predicate.name()) {
      case "BOOLEAN_EXPRESSION" -> is(children[0], false);
      case "=" ->
          children[1] instanceof Literal<?> literal && literal.value() instanceof Boolean wanted
              ? is(children[0], !wanted)
              : Optional.empty();
      case "IS_NULL" -> column(children[0]).map(KuduPredicate::newIsNotNullPredicate).map(List::of);
      case "IS_NOT_NULL" ->
          column(children[0]).map(KuduPredicate::newIsNullPredicate).map(List::of);
      default -> Optional.empty();
    };
  }

  private Optional<List<KuduPredicate>> and(Expression[] children) {
    List<KuduPredicate> all = new ArrayList<>();
    for (Expression child : children) {
      Optional<List<KuduPredicate>> one =
          child instanceof Predicate predicate ? translate(predicate) : Optional.empty();
      if (one.isEmpty()) {
        return Optional.empty();
      }
      all.addAll(one.get());
    }
    return Optional.of(all);
  }
}
