package dev.kudu4j.tools.phrase;

import dev.kudu4j.ColumnSchema;
import dev.kudu4j.Schema;
import dev.kudu4j.client.AbstractKuduScannerBuilder;
import dev.kudu4j.client.KuduCondition;
import dev.kudu4j.client.KuduPredicate.ComparisonOp;
import dev.kudu4j.common.status.KuduException;
import java.util.List;
import java.util.function.Supplier;

/** A condition on rows: a {@link Condition} on one column, or a combination. */
public sealed interface Filter
    permits Condition,
        Filter.And,
        Filter.Or,
        Filter.Not,
        Filter.Like,
        Filter.Columns,
        Filter.ColumnOrValue {
  /**
   * The filter as a condition of the client.
   *
   * @throws KuduException if the table has no such column or a value is not valid for it
   */
  KuduCondition condition(Schema schema);

  /** Adds the filter to a scan, conditions on single columns as predicates. */
  default void addTo(AbstractKuduScannerBuilder<?, ?> scan, Schema schema) {
    scan.addCondition(condition(schema));
  }

  record And(List<Filter> parts) implements Filter {
    @Override
    public KuduCondition condition(Schema schema) {
      return KuduCondition.and(conditions(parts, schema));
    }

    @Override
    public void addTo(AbstractKuduScannerBuilder<?, ?> scan, Schema schema) {
      parts.forEach(part -> part.addTo(scan, schema));
    }
  }

  record Or(List<Filter> parts) implements Filter {
    @Override
    public KuduCondition condition(Schema schema) {
      return KuduCondition.or(conditions(parts, schema));
    }
  }

  private static KuduCondition[] conditions(List<Filter> parts, Schema schema) {
    return parts.stream().map(part -> part.condition(schema)).toArray(KuduCondition[]::new);
  }

  record Not(Filter part) implements Filter {
    @Override
    public KuduCondition condition(Schema schema) {
      return part.condition(schema).not();
    }
  }

  /** {@code column LIKE 'pattern'}. */
  record Like(String column, String pattern) implements Filter {
    @Override
    public KuduCondition condition(Schema schema) {
      return checked(() -> KuduCondition.like(Condition.column(schema, column), pattern));
    }
  }

  /** {@code column < other}: two columns. */
  record Columns(String left, ComparisonOp operator, String right) implements Filter {
    @Override
    public KuduCondition condition(Schema schema) {
      ColumnSchema first = Condition.column(schema, left);
      ColumnSchema second = Condition.column(schema, right);
      return checked(() -> KuduCondition.compare(first, operator, second));
    }
  }

  /** {@code column = word}: a column if the table has one of this name, else a value. */
  record ColumnOrValue(String column, ComparisonOp operator, String word) implements Filter {
    private Filter resolved(Schema schema) {
      return schema.hasColumn(word)
          ? new Columns(column, operator, word)
          : new Condition.Comparison(column, operator, word);
    }

    @Override
    public KuduCondition condition(Schema schema) {
      return resolved(schema).condition(schema);
    }

    @Override
    public void addTo(AbstractKuduScannerBuilder<?, ?> scan, Schema schema) {
      resolved(schema).addTo(scan, schema);
    }
  }

  private static KuduCondition checked(Supplier<KuduCondition> condition) {
    try {
      return condition.get();
    } catch (IllegalArgumentException e) {
      throw KuduException.invalidArgument("%s", e.getMessage());
    }
  }
}
