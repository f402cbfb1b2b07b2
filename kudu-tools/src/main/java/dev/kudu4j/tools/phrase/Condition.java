package dev.kudu4j.tools.phrase;

import dev.kudu4j.ColumnSchema;
import dev.kudu4j.Schema;
import dev.kudu4j.client.AbstractKuduScannerBuilder;
import dev.kudu4j.client.KuduCondition;
import dev.kudu4j.client.KuduPredicate;
import dev.kudu4j.client.KuduPredicate.ComparisonOp;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.tools.cell.CellReader;
import dev.kudu4j.tools.connection.SimilarName;
import java.util.List;

/** A condition on one column, with values as text: what servers know as a predicate. */
public sealed interface Condition extends Filter {
  String column();

  /** The condition as a predicate of the client. */
  KuduPredicate predicate(ColumnSchema column);

  /** {@code column < value} and other comparisons. */
  record Comparison(String column, ComparisonOp operator, String value) implements Condition {
    @Override
    public KuduPredicate predicate(ColumnSchema schema) {
      checkComparable(schema);
      return KuduPredicate.newComparisonPredicate(schema, operator, CellReader.read(schema, value));
    }
  }

  /** {@code column IN (value, ...)}. */
  record InList(String column, List<String> values) implements Condition {
    @Override
    public KuduPredicate predicate(ColumnSchema schema) {
      checkComparable(schema);
      return KuduPredicate.newInListPredicate(
          schema, values.stream().map(value -> CellReader.read(schema, value)).toList());
    }
  }

  /** {@code column IS [NOT] NULL}. */
  record Nullness(String column, boolean isNull) implements Condition {
    @Override
    public KuduPredicate predicate(ColumnSchema schema) {
      return isNull
          ? KuduPredicate.newIsNullPredicate(schema)
          : KuduPredicate.newIsNotNullPredicate(schema);
    }
  }

  @Override
  default KuduCondition condition(Schema schema) {
    return predicate(schema).asCondition();
  }

  @Override
  default void addTo(AbstractKuduScannerBuilder<?, ?> scan, Schema schema) {
    scan.addPredicate(predicate(schema));
  }

  /**
   * @throws KuduException if the table has no such column or a value is not valid for it
   */
  default KuduPredicate predicate(Schema schema) {
    return predicate(column(schema, column()));
  }

  private static void checkComparable(ColumnSchema column) {
    if (column.isArray()) {
      throw KuduException.invalidArgument(
          "Column %s has arrays, which cannot be compared; only IS NULL and IS NOT NULL are"
              + " possible",
          column.getName());
    }
  }

  /** Finds a column by name; the error lists the existing columns. */
  static ColumnSchema column(Schema schema, String name) {
    if (schema.hasColumn(name)) {
      return schema.getColumn(name);
    }
    List<String> names = schema.getColumns().stream().map(ColumnSchema::getName).toList();
    throw KuduException.invalidArgument(
        "There is no column '%s'; %sthe columns are %s",
        name, SimilarName.hint(name, names), String.join(", ", names));
  }
}
