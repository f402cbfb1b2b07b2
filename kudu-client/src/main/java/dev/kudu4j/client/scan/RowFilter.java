package dev.kudu4j.client.scan;

import dev.kudu4j.common.expression.Condition;
import dev.kudu4j.common.expression.RowEvaluator;
import dev.kudu4j.common.schema.ColumnSchema;
import dev.kudu4j.common.schema.Schema;
import java.util.ArrayList;
import java.util.List;

/**
 * Evaluates the condition of a scan in the client, for servers that cannot. Such a scan reads the
 * columns of the condition after those of the result. Used by one scan.
 */
public final class RowFilter {
  private final Condition condition;
  private final Schema columns;
  private final CellLayout layout;
  private final CellLayout result;
  private long rowsLeft;

  private RowFilter(ScanQuery query) {
    this.condition = query.condition();
    List<ColumnSchema> read = new ArrayList<>(query.projection().columns());
    condition.forEachColumn(
        column -> {
          if (read.stream().noneMatch(known -> known.name().equals(column.name()))) {
            read.add(
                column.toBuilder()
                    .id(ColumnSchema.NO_ID)
                    .key(false)
                    .autoIncrementing(false)
                    .build());
          }
        });
    this.columns = new Schema(read);
    this.layout = new CellLayout(columns);
    this.result = new CellLayout(query.projection());
    this.rowsLeft = query.limit();
  }

  /**
   * @param query has a condition and no aggregation
   */
  static RowFilter of(ScanQuery query) {
    return new RowFilter(query);
  }

  /** The columns to read. */
  ProjectedColumns columns() {
    return new ProjectedColumns(columns);
  }

  /** The layout of the rows that the server sends. */
  public CellLayout layout() {
    return layout;
  }

  /**
   * The selected rows, no more than the limit of the scan leaves, with the columns of the result.
   */
  public ColumnarRows select(RowBatch batch) {
    ColumnarRowsBuilder selected = new ColumnarRowsBuilder(result);
    for (int row = 0; row < batch.count() && rowsLeft > 0; row++) {
      if (matches(batch, row)) {
        for (int column = 0; column < result.columnCount(); column++) {
          selected.set(column, batch.cell(layout, column, row));
        }
        selected.endRow();
        rowsLeft -= rowsLeft == Long.MAX_VALUE ? 0 : 1;
      }
    }
    return selected.build();
  }

  private boolean matches(RowBatch batch, int row) {
    return RowEvaluator.matches(
        condition, column -> batch.cell(layout, columns.indexOfName(column.name()), row));
  }
}
