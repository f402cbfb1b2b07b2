package dev.kudu4j.client.aggregate;

import dev.kudu4j.client.scan.CellLayout;
import dev.kudu4j.client.scan.RowBatch;
import dev.kudu4j.common.expression.Aggregation;
import dev.kudu4j.common.expression.Condition;
import dev.kudu4j.common.expression.RowEvaluator;
import dev.kudu4j.common.schema.ColumnSchema;
import dev.kudu4j.common.schema.Schema;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** Rows that this client filters and aggregates, because their servers cannot. */
final class LocalRows {
  private final Condition condition; // null for none
  private final Schema columns;
  private final CellLayout layout;

  /**
   * @param condition null for none
   */
  LocalRows(Aggregation aggregation, Condition condition) {
    this.condition = condition;
    Map<String, ColumnSchema> read = new LinkedHashMap<>();
    Consumer<ColumnSchema> add =
        column ->
            read.putIfAbsent(
                column.name(),
                column.toBuilder()
                    .id(ColumnSchema.NO_ID)
                    .key(false)
                    .autoIncrementing(false)
                    .build());
    aggregation.columns().columns().forEach(add);
    if (condition != null) {
      condition.forEachColumn(add);
    }
    this.columns = new Schema(List.copyOf(read.values()));
    this.layout = new CellLayout(columns);
  }

  /** The columns to read. */
  Schema columns() {
    return columns;
  }

  /** Adds the rows that the condition selects to their groups. */
  void addTo(GroupTable groups, RowBatch rows) {
    for (int row = 0; row < rows.count(); row++) {
      int number = row;
      RowEvaluator.Row cells =
          column -> rows.cell(layout, columns.indexOfName(column.name()), number);
      if (condition == null || RowEvaluator.matches(condition, cells)) {
        groups.addRow(cells);
      }
    }
  }
}
