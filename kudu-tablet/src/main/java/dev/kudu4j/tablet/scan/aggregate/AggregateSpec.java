package dev.kudu4j.tablet.scan.aggregate;

import dev.kudu4j.common.schema.ColumnSchema;
import dev.kudu4j.common.schema.Schema;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The specification of an aggregation over the rows of a scan.
 *
 * @param groupBy columns with ids; rows with equal cells form a group. If empty, all rows are one
 *     group
 */
public record AggregateSpec(List<ColumnSchema> groupBy, List<Aggregate> aggregates) {
  public AggregateSpec {
    groupBy = List.copyOf(groupBy);
    aggregates = List.copyOf(aggregates);
  }

  /** The columns that the aggregation reads, each once: the projection of the scan. */
  public Schema columns() {
    Map<Integer, ColumnSchema> columns = new LinkedHashMap<>();
    groupBy.forEach(column -> columns.putIfAbsent(column.id(), column));
    for (Aggregate aggregate : aggregates) {
      if (aggregate.argument() != null) {
        collect(aggregate.argument(), columns);
      }
    }
    return new Schema(List.copyOf(columns.values()));
  }

  private static void collect(Expression expression, Map<Integer, ColumnSchema> columns) {
    if (expression instanceof Expression.Column column) {
      columns.putIfAbsent(column.column().id(), column.column());
    } else if (expression instanceof Expression.Sum sum) {
      collect(sum.left(), columns);
      collect(sum.right(), columns);
    } else if (expression instanceof Expression.Difference difference) {
      collect(difference.left(), columns);
      collect(difference.right(), columns);
    } else if (expression instanceof Expression.Product product) {
      collect(product.left(), columns);
      collect(product.right(), columns);
    }
  }
}
