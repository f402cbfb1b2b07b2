package dev.kudu4j.tablet.scan.source;

import dev.kudu4j.common.expression.RowEvaluator;
import dev.kudu4j.common.schema.CellOrder;
import dev.kudu4j.common.schema.ColumnSchema;
import dev.kudu4j.tablet.cfile.ColumnReader;
import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/**
 * The exact statistics of a column over all of its pages.
 *
 * @param column number of the column in the scan
 * @param nulls number of NULLs
 * @param least the smallest cell; null if all are NULL, and for floats and text, whose statistics
 *     leave out NaN or are truncated
 * @param greatest the largest cell, as {@code least}
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record ColumnSummary(
    int column,
    ColumnSchema schema,
    long nulls,
    byte @Nullable [] least,
    byte @Nullable [] greatest) {
  /**
   * @return null if a page has no statistics
   */
  static @Nullable ColumnSummary of(int column, ColumnSchema schema, ColumnReader reader) {
    boolean extremes = !schema.type().isFloating() && !schema.type().isVariableLength();
    long nulls = 0;
    byte @Nullable [] least = null;
    byte @Nullable [] greatest = null;
    for (int page = 0; page < reader.pageCount(); page++) {
      nulls += reader.nullCount(page);
      if (!extremes || reader.nullCount(page) == reader.rowCount(page)) {
        continue;
      }
      byte[] low = reader.minimum(page);
      byte[] high = reader.maximum(page);
      if (low == null || high == null) {
        return null;
      }
      least = least == null || CellOrder.compare(schema.type(), low, least) < 0 ? low : least;
      boolean above = greatest == null || CellOrder.compare(schema.type(), high, greatest) > 0;
      greatest = above ? high : greatest;
    }
    return new ColumnSummary(column, schema, nulls, least, greatest);
  }

  /** The smallest or largest number of a column with arithmetic, in units of its last digit. */
  public long integer(boolean largest) {
    byte[] cell = largest ? greatest : least;
    assert cell != null : "a page has a number";
    Number number = RowEvaluator.number(schema, cell);
    return ((BigDecimal) number).unscaledValue().longValueExact();
  }
}
