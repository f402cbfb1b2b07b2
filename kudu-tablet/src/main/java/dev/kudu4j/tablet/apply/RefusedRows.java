package dev.kudu4j.tablet.apply;

import dev.kudu4j.common.index.ClaimedIndex;
import dev.kudu4j.common.index.IndexDefinition;
import dev.kudu4j.common.key.KeyBuffer;
import dev.kudu4j.common.key.RowKeyEncoder;
import dev.kudu4j.common.row.RefusedOperation;
import dev.kudu4j.common.row.RowOperationsReader;
import dev.kudu4j.common.schema.DataType;
import dev.kudu4j.common.schema.Schema;
import java.util.List;

/** The errors of rows that were refused before they were logged. */
final class RefusedRows {
  private static final int NONE = -1;

  private RefusedRows() {}

  /**
   * The error of the current row, with its value if the row has all of it.
   *
   * @param indexes of the tablet
   */
  static String message(
      List<ClaimedIndex> indexes, RequestColumns columns, RowOperationsReader reader) {
    int place = RefusedOperation.index(reader.typeNumber());
    if (place >= indexes.size()) { // it has been dropped since
      return RowFailureMessages.NOT_UNIQUE;
    }
    IndexDefinition index = indexes.get(place).definition();
    Schema schema = columns.schema();
    int count = index.columns().size();
    DataType[] types = new DataType[count];
    int[] given = new int[count];
    for (int i = 0; i < count; i++) {
      int column = schema.indexOfId(index.columns().get(i));
      given[i] = column < 0 ? NONE : columns.requestIndex(column);
      if (given[i] == NONE || !reader.hasCell(given[i])) {
        return RowFailureMessages.notUnique(index);
      }
      types[i] = schema.column(column).type();
    }
    KeyBuffer value = new KeyBuffer();
    new RowKeyEncoder(types, given).append(reader, value);
    return RowFailureMessages.notUnique(index, schema, value.toByteArray());
  }
}
