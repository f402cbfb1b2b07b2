package dev.kudu4j.itest.index;

import dev.kudu4j.client.KuduCondition;
import dev.kudu4j.client.KuduPredicate;
import java.util.function.Function;

/**
 * A condition for the servers, and what it means: true, false, or null for unknown.
 *
 * @param predicate the same, if it is so simple that published clients can express it; else null
 */
record Filter(KuduCondition condition, KuduPredicate predicate, Function<Order, Boolean> meaning) {

  static Filter of(KuduPredicate predicate, Function<Order, Boolean> meaning) {
    return new Filter(predicate.asCondition(), predicate, meaning);
  }

  static Filter of(KuduCondition condition, Function<Order, Boolean> meaning) {
    return new Filter(condition, null, meaning);
  }

  static Filter and(Filter a, Filter b) {
    return of(
        KuduCondition.and(a.condition, b.condition),
        order -> and(a.meaning.apply(order), b.meaning.apply(order)));
  }

  static Filter or(Filter a, Filter b) {
    return of(
        KuduCondition.or(a.condition, b.condition),
        order -> not(and(not(a.meaning.apply(order)), not(b.meaning.apply(order)))));
  }

  Filter not() {
    return of(condition.not(), order -> not(meaning.apply(order)));
  }

  private static Boolean not(Boolean value) {
    return value == null ? null : (Boolean) !value;
  }

  private static Boolean and(Boolean a, Boolean b) {
    if (Boolean.FALSE.equals(a) || Boolean.FALSE.equals(b)) {
      return false;
    }
    return (a == null || b == null) ? null : (Boolean) true;
  }

  boolean keeps(Order order) {
    return Boolean.TRUE.equals(meaning.apply(order));
  }

  @Override
  public String toString() {
    return condition.toString();
  }
}
