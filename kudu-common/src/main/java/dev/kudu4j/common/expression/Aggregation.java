package dev.kudu4j.common.expression;

import dev.kudu4j.common.schema.ColumnSchema;
import dev.kudu4j.common.schema.FloatingCells;
import dev.kudu4j.common.schema.Schema;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * An aggregation over the rows of a scan.
 *
 * @param groupBy rows with equal cells form a group; {@link FloatingCells} says which floats are
 *     equal. If empty, all rows are one group
 * @param aggregates computed for each group
 */
public record Aggregation(List<ColumnSchema> groupBy, List<Aggregate> aggregates) {
  public Aggregation {
    groupBy = List.copyOf(groupBy);
    aggregates = List.copyOf(aggregates);
  }

  /** The columns that the aggregation reads, each once: the projection of its scan. */
  public Schema columns() {
    Map<String, ColumnSchema> columns = new LinkedHashMap<>();
    Consumer<ColumnSchema> add =
        column -> columns.putIfAbsent(column.name(), asResult(column).id(column.id()).build());
    groupBy.forEach(add);
    for (Aggregate aggregate : aggregates) {
      if (aggregate.argument() != null) {
        aggregate.argument().forEachColumn(add);
      }
      if (aggregate.filter() != null) {
        aggregate.filter().forEachColumn(add);
      }
    }
    return new Schema(List.copyOf(columns.values()));
  }

  /**
   * The columns of the results: the grouping columns, then one column per aggregate, with a name
   * that no grouping column has.
   *
   * @throws dev.kudu4j.common.status.KuduException NOT_SUPPORTED if an aggregate cannot be computed
   */
  public Schema resultColumns() {
    List<ColumnSchema> columns = new ArrayList<>();
    for (ColumnSchema column : groupBy) {
      columns.add(asResult(column).id(ColumnSchema.NO_ID).build());
    }
    for (int i = 0; i < aggregates.size(); i++) {
      columns.add(aggregates.get(i).resultColumn(freeName("aggregate " + i)));
    }
    return new Schema(columns);
  }

  /** Whether the only result is the number of rows. */
  public boolean onlyCountsRows() {
    return groupBy.isEmpty()
        && aggregates.stream()
            .allMatch(
                aggregate ->
                    aggregate.function() == Aggregate.Function.COUNT
                        && aggregate.argument() == null
                        && aggregate.filter() == null);
  }

  /** Whether a grouping column is FLOAT or DOUBLE. */
  public boolean hasFloatingGroups() {
    return groupBy.stream().anyMatch(column -> column.type().isFloating());
  }

  /** Whether an aggregate is a sketch. */
  public boolean hasSketch() {
    return aggregates.stream()
        .anyMatch(aggregate -> aggregate.function() == Aggregate.Function.DISTINCT_SKETCH);
  }

  /** Whether the filter of an aggregate has a sample. */
  public boolean hasSample() {
    return aggregates.stream()
        .anyMatch(aggregate -> aggregate.filter() != null && aggregate.filter().hasSample());
  }

  /** The column without its key attribute: key columns would have to come first. */
  private static ColumnSchema.Builder asResult(ColumnSchema column) {
    return column.toBuilder().key(false).autoIncrementing(false);
  }

  private String freeName(String wanted) {
    String name = wanted;
    while (isGrouping(name)) {
      name += "'";
    }
    return name;
  }

  private boolean isGrouping(String name) {
    return groupBy.stream().anyMatch(column -> column.name().equals(name));
  }
}
