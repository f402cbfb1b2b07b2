package dev.kudu4j.tablet.apply;

import dev.kudu4j.common.array.ArrayCellReader;
import dev.kudu4j.common.row.RowOperationsReader;
import dev.kudu4j.common.schema.Schema;
import dev.kudu4j.common.status.KuduException;
import org.jspecify.annotations.Nullable;

/**
 * Verifies the array cells of rows before they are applied, so that only well-formed cells are
 * stored. Every replica finds the same cells malformed. Not thread-safe.
 */
final class ArrayCheck {
  private final Schema schema;
  private final int[] requestColumns;
  private final int[] tabletColumns;
  private final ArrayCellReader[] readers;

  ArrayCheck(RequestColumns columns) {
    schema = columns.schema();
    requestColumns = columns.arrays();
    tabletColumns = new int[requestColumns.length];
    readers = new ArrayCellReader[requestColumns.length];
    for (int i = 0; i < readers.length; i++) {
      tabletColumns[i] = columns.tabletIndex(requestColumns[i]);
      readers[i] = new ArrayCellReader(schema.column(tabletColumns[i]).scalarType());
    }
  }

  /** The message of the first malformed cell of the row; null if there is none. */
  @Nullable String firstError(RowOperationsReader row) {
    for (int i = 0; i < readers.length; i++) {
      int column = requestColumns[i];
      if (row.hasCell(column)) {
        try {
          readers[i].open(row.cellArray(column), row.cellOffset(column), row.cellLength(column));
        } catch (KuduException e) {
          return RowFailureMessages.malformedArray(schema.column(tabletColumns[i]), e);
        }
      }
    }
    return null;
  }
}
