package dev.kudu4j.tablet;

import dev.kudu4j.common.row.OperationType;
import dev.kudu4j.common.row.RowLayout;
import dev.kudu4j.common.row.RowOperationsWriter;
import dev.kudu4j.common.schema.Schema;
import dev.kudu4j.tablet.log.RequestId;
import dev.kudu4j.tablet.log.WriteRequest;
import java.util.List;
import java.util.Map;

/** One row operation of a test: cells by column id, null for NULL. */
record RowOp(OperationType type, Map<Integer, byte[]> cells) {
  /** A request as it comes from the wire, packed with all columns of the schema. */
  static WriteRequest request(
      RequestId id, int piece, int pieces, Schema schema, List<RowOp> operations) {
    return request(id, WriteRequest.NO_TRANSACTION, piece, pieces, schema, operations);
  }

  /** A request of a transaction. */
  static WriteRequest request(
      RequestId id,
      long transaction,
      int piece,
      int pieces,
      Schema schema,
      List<RowOp> operations) {
    RowLayout layout = RowLayout.of(schema);
    RowOperationsWriter writer = new RowOperationsWriter(layout);
    for (RowOp operation : operations) {
      writer.begin(operation.type());
      operation
          .cells()
          .forEach(
              (columnId, cell) -> {
                int column = schema.indexOfId(columnId);
                if (cell == null) {
                  writer.setNull(column);
                } else {
                  writer.setCell(column, cell);
                }
              });
      writer.end();
    }
    int[] columnIds = schema.columns().stream().mapToInt(column -> column.id()).toArray();
    return new WriteRequest(id, transaction, piece, pieces, 1, columnIds, writer.packed());
  }
}
