package dev.kudu4j.client.index;

import dev.kudu4j.client.index.IndexChoice.Choice;
import dev.kudu4j.client.scan.ScanQuery;
import dev.kudu4j.common.expression.Condition;
import dev.kudu4j.common.predicate.ColumnPredicate;
import dev.kudu4j.common.predicate.ColumnPredicates;
import dev.kudu4j.common.schema.ColumnSchema;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Chooses an index for each part of an OR, such as {@code customer = 7 OR day < '2026-01-01'}.
 *
 * <p>There are no estimates, so few parts may be ranges, which must have both bounds: each part
 * could read its whole index.
 *
 * <p>The scan of a part leaves out the rows for which an earlier part is true, so each row is
 * returned once. All of them must read one snapshot.
 */
public final class UnionChoice {
  /** Beyond that, the table is read: each part asks all tablets of its index. */
  private static final int MAX_PARTS = 8;

  private static final int MAX_RANGES = 2;

  private UnionChoice() {}

  /**
   * The scans whose rows together are those of the query; empty if a part has no index that is
   * better than the table.
   *
   * @param query of the table, one that {@linkplain IndexChoice#canUseIndex can use an index}
   * @param indexes those that have all rows
   */
  public static List<Choice> of(ScanQuery query, List<IndexSource> indexes) {
    if (!(query.condition() instanceof Condition.Or or)
        || or.parts().size() > MAX_PARTS
        || query.limit() != Long.MAX_VALUE
        || query.aggregation() != null
        || query.planOnly()) {
      return List.of();
    }
    List<Choice> choices = new ArrayList<>();
    List<Condition> before = new ArrayList<>();
    int ranges = 0;
    for (Condition part : or.parts()) {
      Optional<List<ColumnPredicate>> predicates = predicates(part);
      if (predicates.isEmpty()) {
        return List.of();
      }
      ranges += hasEquality(predicates.get()) ? 0 : 1;
      if (ranges > MAX_RANGES || !isBounded(predicates.get())) {
        return List.of();
      }
      List<ColumnPredicate> all = new ArrayList<>(query.predicates());
      all.addAll(predicates.get());
      Condition rest = before.isEmpty() ? null : new Condition.And(before);
      Optional<Choice> choice =
          IndexChoice.of(query.filtered(ColumnPredicates.merge(all), rest), indexes);
      if (choice.isEmpty()) {
        return List.of();
      }
      choices.add(choice.get());
      before.add(isNotTrue(part, predicates.get()));
    }
    return choices;
  }

  private static boolean hasEquality(List<ColumnPredicate> predicates) {
    return predicates.stream()
        .anyMatch(
            one ->
                one instanceof ColumnPredicate.Equality || one instanceof ColumnPredicate.InList);
  }

  /** Whether a column has few values, or a range with both bounds. */
  private static boolean isBounded(List<ColumnPredicate> predicates) {
    return hasEquality(predicates)
        || ColumnPredicates.merge(predicates).stream()
            .anyMatch(
                one ->
                    one instanceof ColumnPredicate.Range range
                        && range.lower() != null
                        && range.upper() != null);
  }

  /**
   * The predicates that the part joins by AND; empty if it has others, or could be true on NULL.
   */
  private static Optional<List<ColumnPredicate>> predicates(Condition part) {
    List<Condition> matches = part instanceof Condition.And and ? and.parts() : List.of(part);
    List<ColumnPredicate> predicates = new ArrayList<>();
    for (Condition match : matches) {
      if (!(match instanceof Condition.Match one)
          || one.predicate() instanceof ColumnPredicate.IsNull) {
        return Optional.empty();
      }
      predicates.add(one.predicate());
    }
    return Optional.of(predicates);
  }

  /** True if the part is false or unknown. It is never true if one of its columns is NULL. */
  private static Condition isNotTrue(Condition part, List<ColumnPredicate> predicates) {
    Map<String, ColumnSchema> nullable = new LinkedHashMap<>();
    predicates.stream()
        .map(ColumnPredicate::column)
        .filter(ColumnSchema::isNullable)
        .forEach(column -> nullable.put(column.name(), column));
    List<Condition> ways = new ArrayList<>();
    ways.add(new Condition.Not(part));
    nullable
        .values()
        .forEach(column -> ways.add(new Condition.Match(new ColumnPredicate.IsNull(column))));
    return ways.size() == 1 ? ways.get(0) : new Condition.Or(ways);
  }
}
