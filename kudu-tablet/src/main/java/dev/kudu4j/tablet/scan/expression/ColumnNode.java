package dev.kudu4j.tablet.scan.expression;

import dev.kudu4j.common.schema.ColumnSchema;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.tablet.batch.NumberVector;
import java.io.IOException;

/** The cells of a column. */
public final class ColumnNode extends NumberNode {
  private final int column;

  ColumnNode(ColumnSchema schema, int column) {
    super(schema.type().isFloating(), scale(schema));
    this.column = column;
  }

  /** The number of the column. */
  public int column() {
    return column;
  }

  private static int scale(ColumnSchema schema) {
    if (!schema.type().isNumber()) {
      throw KuduException.notSupported(
          "Column %s does not support arithmetic; use integers or decimals of up to 64 bits, dates,"
              + " times, floats or doubles",
          schema);
    }
    return schema.type().isDecimal() ? schema.scale() : 0;
  }

  @Override
  void compute(RowChunk chunk, NumberVector out) throws IOException {
    if (chunk.isPicked()) {
      chunk.rows().pickNumbers(column, chunk.from(), chunk.picks(), chunk.count(), out);
    } else {
      chunk.rows().readNumbers(column, chunk.from(), chunk.count(), out);
    }
  }
}
